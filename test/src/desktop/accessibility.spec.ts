import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker, WRITER_AGENT } from '../web/approvals.spec.support.js';
import { findFocusErrors, findAnimations, findReflowErrors } from '../web/page-checks.spec.support.js';
import { changeColorScheme, findViolations } from '../web/web.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';
import { DESKTOP_VIEWS, findOpeningSources, type DesktopView, type ViewApprovals } from './views.spec.support.js';

const FULL_VIEWPORT = { width: 1_280, height: 1_024 };
const NARROW_VIEWPORT = { width: 420, height: 480 };

(hasElectron() ? describe : describe.skip)('desktop: accessibility of all views', function () {
  this.timeout(60_000);
  const agents = new ScriptedAgents(WRITER_AGENT);
  let hostWithApprovals: TestHost;
  let emptyHost: TestHost;
  let screen: Screen;
  let approvals: ViewApprovals;
  const desktops = new Map<DesktopView['signInState'], Desktop>();
  const titles = new Map<string, string>();

  before(async () => {
    [hostWithApprovals, emptyHost, screen] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      createTestHost(),
      Screen.start(),
    ]);
    approvals = await createApprovals(hostWithApprovals);
  });

  after(async () => {
    for (const desktop of desktops.values()) {
      await desktop.close('session.refused');
      deleteUserData(desktop.userData);
    }
    await screen?.stop();
    await Promise.all([hostWithApprovals?.close(), emptyHost?.close()]);
  });

  async function getDesktop(signInState: DesktopView['signInState']): Promise<Desktop> {
    const existingDesktop = desktops.get(signInState);
    if (existingDesktop !== undefined) return existingDesktop;
    const desktop = await startDesktop({ screen });
    desktops.set(signInState, desktop);
    const { app, page } = desktop;
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await resize(desktop, FULL_VIEWPORT);
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setMinimumSize(100, 100));
    if (signInState === 'in') await signIn(desktop, hostWithApprovals, 'admin', 'ada');
    if (signInState === 'idle') await signIn(desktop, emptyHost, 'approver', 'ada');
    if (signInState === 'out') {
      await page.getByRole('textbox', { name: 'Address' }).fill(emptyHost.url);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByLabel(/^Development token/).waitFor();
    }
    return desktop;
  }

  async function showView(desktop: Desktop, { session, openView, expected }: DesktopView): Promise<void> {
    const { app, page } = desktop;
    await page.reload();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    if (session !== undefined) {
      const state = await page.evaluate(() =>
        (window as unknown as { countersign: { getState(): Promise<object> } }).countersign.getState(),
      );
      await app.evaluate(
        ({ BrowserWindow }, sessionState) =>
          BrowserWindow.getAllWindows()[0]?.webContents.send('countersign:event:state', sessionState),
        { ...state, session },
      );
    }
    await openView?.(desktop, approvals);
    await expected(page).waitFor();
  }

  for (const view of DESKTOP_VIEWS) {
    it(`should have no accessibility violations in the view "${view.name}"`, async () => {
      const desktop = await getDesktop(view.signInState);
      const { page } = desktop;
      await showView(desktop, view);
      const found = [
        ...(await findViolations(page)).map((each) => `light: ${each}`),
        ...(await findAnimations(page)),
        ...(await findFocusErrors(page)),
      ];
      await changeColorScheme(page, 'dark');
      found.push(...(await findViolations(page)).map((each) => `dark: ${each}`));
      await changeColorScheme(page, 'light');
      for (const factor of [2, 4]) {
        await zoom(desktop, factor);
        found.push(
          ...[
            ...(await findReflowErrors(page)),
            ...(await findFocusErrors(page)),
            ...(factor === 4 ? await findViolations(page) : []),
          ].map((each) => `at ${factor * 100} %: ${each}`),
        );
      }
      await zoom(desktop, 1);
      await resize(desktop, NARROW_VIEWPORT);
      found.push(
        ...[...(await findReflowErrors(page)), ...(await findFocusErrors(page))].map((each) => `narrow: ${each}`),
      );
      await resize(desktop, FULL_VIEWPORT);
      titles.set(view.name, await page.title());
      await view.restore?.(page);
      if (found.length > 0) expect.fail([...new Set(found)].join('\n'));
    });
  }

  it('should cover every dialog and menu', () => {
    expect([...new Set(DESKTOP_VIEWS.flatMap(({ opens = [] }) => opens))].sort()).to.deep.equal(findOpeningSources());
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
    ({ BrowserWindow }, [windowWidth, windowHeight]) =>
      BrowserWindow.getAllWindows()[0]?.setContentSize(windowWidth, windowHeight),
    [width, height] as const,
  );
  await page.waitForFunction(
    ([windowWidth, windowHeight]) => Math.abs(outerWidth - windowWidth) < 2 && innerHeight <= windowHeight,
    [width, height] as const,
  );
  await waitUntilRendered({ page });
}

async function zoom({ app, page }: Desktop, factor: number): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, zoomFactor) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(zoomFactor),
    factor,
  );
  await page.waitForFunction((width) => Math.abs(innerWidth - width) <= 1, Math.round(FULL_VIEWPORT.width / factor));
  await waitUntilRendered({ page });
}

/** Waits for three frames, because some elements measure themselves after the first one. */
async function waitUntilRendered({ page }: Pick<Desktop, 'page'>): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  });
}

async function waitForNextRound({ vera }: ApprovalMaker, { runId, approvalId }: Approval): Promise<Approval> {
  for await (const { type, data } of vera.streamRunEvents({ runId })) {
    if (type === 'approval.requested' && data['approvalId'] !== approvalId)
      return vera.getApproval({ approvalId: String(data['approvalId']) });
  }
  throw new Error('No further round of the approval was opened.');
}

async function createApprovals(host: TestHost): Promise<ViewApprovals> {
  const maker = await ApprovalMaker.deployTo(host, 'simple', 'evidence', 'agent');
  const decidedApproval = await maker.createApproval('simple');
  const ben = await host.client('approver', 'ben');
  await ben.decideApproval({ approvalId: decidedApproval.approvalId, body: { decision: 'approve' } });
  const first = await maker.createApproval('simple');
  await ben.decideApproval({
    approvalId: first.approvalId,
    body: { decision: 'request_changes', comment: 'Name the migration.' },
  });
  await maker.completeDraft({ notes: 'Fixes the printer. Runs a migration.' });
  return {
    decided: decidedApproval,
    secondRound: await waitForNextRound(maker, first),
    simple: await maker.createApproval('simple'),
    risky: await maker.createRiskyApproval(),
    call: await maker.createApproval('agent'),
  };
}
