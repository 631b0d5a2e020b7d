import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { ScriptedAgents } from '../http/agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker, WRITER } from '../web/approvals.spec.support.js';
import { focusFaults, movements, reflowFaults } from '../web/page-checks.spec.support.js';
import { changeColorScheme, violationsOf } from '../web/web.spec.support.js';
import { forget, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';
import { DESKTOP_VIEWS, openingSources, type DesktopView, type Waiting } from './views.spec.support.js';

const FULL = { width: 1_280, height: 1_024 };
const NARROW = { width: 420, height: 480 };

(hasElectron() ? describe : describe.skip)('desktop: accessibility of all views', function () {
  this.timeout(60_000);
  const agents = new ScriptedAgents(WRITER);
  let busy: TestHost;
  let quiet: TestHost;
  let screen: Screen;
  let waiting: Waiting;
  const desktops = new Map<DesktopView['as'], Desktop>();
  const titles = new Map<string, string>();

  before(async () => {
    [busy, quiet, screen] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      createTestHost(),
      Screen.start(),
    ]);
    waiting = await make(busy);
  });

  after(async () => {
    for (const desktop of desktops.values()) {
      await desktop.close('session.refused');
      forget(desktop.userData);
    }
    await screen?.stop();
    await Promise.all([busy?.close(), quiet?.close()]);
  });

  async function desktopOf(as: DesktopView['as']): Promise<Desktop> {
    const known = desktops.get(as);
    if (known !== undefined) return known;
    const desktop = await startDesktop({ screen });
    desktops.set(as, desktop);
    const { app, page } = desktop;
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await resize(desktop, FULL);
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setMinimumSize(100, 100));
    if (as === 'in') await signIn(desktop, busy, 'admin', 'ada');
    if (as === 'idle') await signIn(desktop, quiet, 'approver', 'ada');
    if (as === 'out') {
      await page.getByRole('textbox', { name: 'Address' }).fill(quiet.url);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByLabel(/^Development token/).waitFor();
    }
    return desktop;
  }

  async function show(desktop: Desktop, { session, act, seen }: DesktopView): Promise<void> {
    const { app, page } = desktop;
    await page.reload();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    if (session !== undefined) {
      const state = await page.evaluate(() =>
        (window as unknown as { countersign: { getState(): Promise<object> } }).countersign.getState(),
      );
      await app.evaluate(
        ({ BrowserWindow }, told) =>
          BrowserWindow.getAllWindows()[0]?.webContents.send('countersign:event:state', told),
        { ...state, session },
      );
    }
    await act?.(desktop, waiting);
    await seen(page).waitFor();
  }

  for (const view of DESKTOP_VIEWS) {
    it(`should have no accessibility violations in the view "${view.name}"`, async () => {
      const desktop = await desktopOf(view.as);
      const { page } = desktop;
      await show(desktop, view);
      const found = [
        ...(await violationsOf(page)).map((each) => `light: ${each}`),
        ...(await movements(page)),
        ...(await focusFaults(page)),
      ];
      await changeColorScheme(page, 'dark');
      found.push(...(await violationsOf(page)).map((each) => `dark: ${each}`));
      await changeColorScheme(page, 'light');
      for (const factor of [2, 4]) {
        await zoom(desktop, factor);
        found.push(
          ...[
            ...(await reflowFaults(page)),
            ...(await focusFaults(page)),
            ...(factor === 4 ? await violationsOf(page) : []),
          ].map((each) => `at ${factor * 100} %: ${each}`),
        );
      }
      await zoom(desktop, 1);
      await resize(desktop, NARROW);
      found.push(...[...(await reflowFaults(page)), ...(await focusFaults(page))].map((each) => `narrow: ${each}`));
      await resize(desktop, FULL);
      titles.set(view.name, await page.title());
      await view.after?.(page);
      if (found.length > 0) expect.fail([...new Set(found)].join('\n'));
    });
  }

  it('should cover every dialog and menu', () => {
    expect([...new Set(DESKTOP_VIEWS.flatMap(({ opens = [] }) => opens))].sort()).to.deep.equal(openingSources());
  });

  it('should show the view and the number of waiting approvals in the window title', () => {
    expect([...titles].filter(([, title]) => !title.endsWith(' · Countersign'))).to.deep.equal([]);
    expect(titles.get('an inbox')).to.match(/^\(\d+\) Approvals · /);
    expect(titles.get('an empty inbox')).to.equal('Approvals · Countersign');
    expect(titles.get('an approval')).to.match(/^\(\d+\) Approve the release · Approvals · /);
    expect(titles.get('sign-in with a token')).to.match(/^Sign in to /);
  });
});

/** Resizes the window; the size is in pixels of the screen. */
async function resize(
  { app, page }: Desktop,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, [wide, high]) => BrowserWindow.getAllWindows()[0]?.setContentSize(wide, high),
    [width, height] as const,
  );
  await page.waitForFunction(([wide, high]) => Math.abs(outerWidth - wide) < 2 && innerHeight <= high, [
    width,
    height,
  ] as const);
  await settled({ page });
}

async function zoom({ app, page }: Desktop, factor: number): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(to),
    factor,
  );
  await page.waitForFunction((width) => Math.abs(innerWidth - width) <= 1, Math.round(FULL.width / factor));
  await settled({ page });
}

/** Waits for the elements that measure themselves in the next frames. */
async function settled({ page }: Pick<Desktop, 'page'>): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  });
}

async function askedAgain({ vera }: ApprovalMaker, { runId, approvalId }: Approval): Promise<Approval> {
  for await (const { type, data } of vera.streamRunEvents({ runId })) {
    if (type === 'approval.requested' && data['approvalId'] !== approvalId)
      return vera.getApproval({ approvalId: String(data['approvalId']) });
  }
  throw new Error('It was not asked again.');
}

async function make(host: TestHost): Promise<Waiting> {
  const maker = await ApprovalMaker.on(host, 'simple', 'evidence', 'agent');
  const decided = await maker.asked('simple');
  const ben = await host.client('approver', 'ben');
  await ben.decideApproval({ approvalId: decided.approvalId, body: { decision: 'approve' } });
  const first = await maker.asked('simple');
  await ben.decideApproval({
    approvalId: first.approvalId,
    body: { decision: 'request_changes', comment: 'Name the migration.' },
  });
  await maker.drafted({ notes: 'Fixes the printer. Runs a migration.' });
  return {
    decided,
    again: await askedAgain(maker, first),
    simple: await maker.asked('simple'),
    risky: await maker.risky(),
    call: await maker.asked('agent'),
  };
}
