import type { RunDetail } from '@countersign/contract';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { PartsHost } from './run-parts.spec.support.js';
import { expectAccessible, expectCount, hasBrowser, openWindow, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: a step, the events and the history of a run', () => {
  let host: PartsHost;
  let run: RunDetail;
  let window: Window;
  let page: Page;

  before(async () => {
    host = await PartsHost.start();
    run = await host.startReviewedRun();
  });

  after(() => host?.close());

  afterEach(() => window.close());

  async function open(
    query: string,
    colorScheme: 'light' | 'dark' = 'light',
    role: 'viewer' | 'operator' = 'viewer',
  ): Promise<void> {
    window = await openWindow(host.browser, {
      url: host.countersign.url,
      token: await host.countersign.token(role),
      colorScheme,
    });
    ({ page } = window);
    await page.goto(`${host.countersign.url}/runs/${run.runId}?${query}`);
  }

  const findWorkStepId = (): string => run.steps.find(({ elementId }) => elementId === 'work')?.stepId ?? '';

  it('should show a step in a drawer with the turns and calls of its agent', async () => {
    // given
    await open(`step=${findWorkStepId()}`);
    const step = page.getByRole('dialog', { name: 'Step Research the ticket' });
    await step.getByText('3 turns, 2 tool calls').waitFor();

    // then
    await step.getByRole('article', { name: 'Turn 1' }).getByRole('heading', { name: 'Findings' }).waitFor();
    await step.getByRole('button', { name: 'look Called' }).press('Enter');
    await step.getByRole('tree', { name: 'Arguments' }).getByRole('treeitem', { name: 'shelf' }).waitFor();
    await step.getByRole('tree', { name: 'Result' }).waitFor();
    await step.getByRole('tree', { name: 'Inputs' }).getByText('42').waitFor();
    await step.getByRole('heading', { name: 'Policy' }).waitFor();
    await expectAccessible(page);

    // when
    await step.press('Escape');

    // then
    await step.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('step')).to.equal(false);
  });

  it('should return the focus to the button that opened a step', async () => {
    await open('tab=events&seq=4', 'dark');
    const button = page.getByRole('button', { name: 'Open step' });
    await button.press('Enter');
    const step = page.getByRole('dialog', { name: 'Step Research the ticket' });
    await step.getByText('3 turns, 2 tool calls').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await step.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Open step');
  });

  it('should list the events of the run live, and show the details of an event by keyboard', async () => {
    // given
    await open('tab=events');
    const timeline = page.getByRole('listbox', { name: 'Events of the run' });
    await timeline.getByRole('option', { name: 'Approval of “Publish the report” was requested' }).waitFor();

    // when
    await host.operator.uploadArtifact({
      runId: run.runId,
      artifactName: 'meanwhile.txt',
      body: 'x',
      contentType: 'text/plain',
    });

    // then
    await timeline
      .getByRole('option', { name: 'The artifact meanwhile.txt (version 1) was stored by otto.' })
      .waitFor();

    // when
    await timeline.getByRole('option').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    // then
    const event = page.getByRole('region', { name: 'Event 2' });
    await event.getByText('“Ticket in” completed.').waitFor();
    await event.getByRole('tree', { name: 'Event data' }).waitFor();
    expect(new URL(page.url()).searchParams.get('seq')).to.equal('2');
    await expectAccessible(page);
  });

  it('should filter events, and show them as a table and as downloadable JSON', async () => {
    await open('tab=events&view=list&kind=approval', 'dark');
    const table = page.getByRole('grid', { name: 'Events of the run' });
    await table.getByRole('gridcell', { name: 'approval.requested', exact: true }).waitFor();
    await expectCount(table.getByRole('row'), 2);
    await page.getByRole('status').filter({ hasText: '1 event' }).waitFor();
    await expectAccessible(page);
    await page.getByText('JSON', { exact: true }).click();
    await page.getByRole('tree', { name: 'Events of the run' }).getByRole('treeitem', { name: '1 item' }).waitFor();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    expect((await download).suggestedFilename()).to.equal(`${run.runId}-events.json`);
  });

  it('should show the last event if the address contains an event that does not exist yet', async () => {
    // when
    await open('at=999999999');
    // then
    const slider = page.getByRole('slider', { name: 'Event of the run' });
    await page.waitForURL((url) => url.searchParams.get('at') !== '999999999');
    const at = new URL(page.url()).searchParams.get('at');
    expect([await slider.getAttribute('max'), await slider.inputValue()]).to.deep.equal([at, at]);
    await page.getByText(`Event ${at} of ${at}`).waitFor();
  });

  it('should mark the page as loading until the state at the selected event is shown', async () => {
    // given
    await open(`at=9&step=${findWorkStepId()}`);
    const step = page.getByRole('dialog', { name: 'Step Research the ticket' });
    await step.getByText('Input').first().waitFor();
    const heldStateRequest = new Promise<Route>((resolve) => {
      void page.route(
        (url) => url.pathname.endsWith('/state') && url.searchParams.get('at') === '1',
        (each) => resolve(each),
      );
    });
    // when
    await page.getByRole('slider', { name: 'Event of the run' }).press('Home');
    const route = await heldStateRequest;
    // then
    const busy = page.locator('.cs-run-split[aria-busy="true"]');
    await busy.getByText('Loading this moment…').waitFor();
    expect(await step.getAttribute('aria-busy')).to.equal('true');
    // when
    await route.continue();
    // then
    await busy.waitFor({ state: 'detached' });
    await page.locator('.cs-step-drawer[aria-busy="false"]').waitFor();
  });

  it('should step through the events of the run by keyboard, and return to the current state', async () => {
    // given
    await open('');
    const done = page.locator('[data-element-id="work"].cs-done');
    await done.waitFor();
    await page.getByRole('button', { name: 'Step through events' }).press('Enter');
    const slider = page.getByRole('slider', { name: 'Event of the run' });
    await page.getByText(/^Event (\d{2,}) of \1$/).waitFor();

    // when
    await slider.press('Home');

    // then
    await page.getByText('The run was started by vera with version 1.').waitFor();
    await done.waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.searchParams.get('at') === '1');

    // when
    await slider.press('ArrowRight');
    await page.getByRole('button', { name: 'Next event' }).press('Enter');

    // then
    await page.getByText(/^Event 3 of/).waitFor();
    await page.getByText('“Research the ticket” started.').waitFor();
    await page.locator('[data-element-id="work"].cs-active').waitFor();
    expect(await slider.getAttribute('aria-valuetext')).to.match(/^3 of \d+: “Research the ticket” started\.$/);
    await expectAccessible(page);

    // when
    await slider.press('PageUp');
    await page.getByText(/^Event 13 of/).waitFor();
    await slider.press('PageDown');
    await page.waitForURL((url) => url.searchParams.get('at') === '3');
    await page.reload();

    // then
    await page.getByText(/^Event 3 of/).waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await done.waitFor();
    expect(new URL(page.url()).searchParams.has('at')).to.equal(false);
  });

  it('should play the events of the run, and stop on pause and at the end', async () => {
    // given
    await open('at=1');
    await expectCount(
      page.getByRole('button', { name: 'Play' }),
      0,
      'playback must not be offered with reduced motion',
    );
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.reload();

    // The response is held back, so that the playback stops there even if the check is late.
    const heldStateRequest = new Promise<Route>((resolve) => {
      void page.route(
        (url) => url.pathname.endsWith('/state') && url.searchParams.get('at') === '4',
        (each) => resolve(each),
      );
    });

    // when
    await page.getByRole('button', { name: 'Play' }).click();

    // then
    await page.getByText(/^Event 4 of/).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await (await heldStateRequest).continue();
    await page.locator('.cs-run-split[aria-busy="false"]').waitFor();
    expect(new URL(page.url()).searchParams.get('at')).to.equal('4');

    // when
    await page.getByRole('slider', { name: 'Event of the run' }).press('End');
    await page.getByRole('button', { name: 'Previous event' }).click();
    await page.getByRole('button', { name: 'Play' }).click();

    // then
    await page.getByText(/^Event (\d{2,}) of \1$/).waitFor();
    await page.getByRole('button', { name: 'Play', disabled: true }).waitFor();
  });

  it('should link a policy decision to the policy version by its digest', async () => {
    // given
    await open(`step=${findWorkStepId()}`, 'light', 'operator');
    const step = page.getByRole('dialog', { name: 'Step Research the ticket' });
    const { policyId, policyDigest } = run.steps.find(({ elementId }) => elementId === 'work')?.policyDecision ?? {
      policyId: '',
      policyDigest: '',
    };

    // when
    await step.getByRole('link', { name: policyId }).first().click();

    // then
    await page.waitForURL(
      (url) =>
        url.pathname.endsWith('/policies') &&
        url.searchParams.get('tab') === 'policy' &&
        url.searchParams.get('digest') === policyDigest,
    );
    await page.getByRole('tabpanel').getByText(policyDigest).first().waitFor();
  });
});
