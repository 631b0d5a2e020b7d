import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { createClient, type Client } from '@countersign/contract';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { waitForApproval } from '../http/http.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

const REVERSED_TEXT = 'pay \u202e001\u202c to\u200b me';
const ESCAPED_TEXT = 'pay ⟦U+202E⟧001⟦U+202C⟧ to⟦U+200B⟧ me';

(hasBrowser() ? describe : describe.skip)('web: deceptive content', () => {
  let countersign: TestHost;
  let browser: Browser;
  let operator: Client;
  let runId: string;
  let approvalId: string;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    await countersign.deploy(approvalModel('simple'));
    operator = createClient({ baseUrl: countersign.url, token: await countersign.token('operator') });
    const approver = createClient({ baseUrl: countersign.url, token: await countersign.token('approver') });
    ({ runId } = await operator.startRun({
      body: {
        workflowId: 'simple',
        businessKey: REVERSED_TEXT,
        inputs: { order: REVERSED_TEXT, list: [REVERSED_TEXT] },
      },
    }));
    await countersign.jobs.complete('work', { text: REVERSED_TEXT });
    ({ approvalId } = await waitForApproval(approver, runId));
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  const open = async (path: string): Promise<Window> => {
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('approver') });
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  };

  it('should escape invisible characters in an approval', async () => {
    const window = await open(`/approvals/${approvalId}`);
    await window.page.getByText(ESCAPED_TEXT).first().waitFor();
    expect(await window.page.locator('main').textContent()).not.to.match(/[\u202a-\u202e\u200b]/);
    await window.close();
  });

  it('should escape invisible characters in the variables and the business key of a run', async () => {
    const window = await open(`/runs/${runId}?tab=variables`);
    await window.page.getByText(ESCAPED_TEXT).first().waitFor();
    expect(
      /.{0,40}[\u202a-\u202e\u200b].{0,20}/.exec((await window.page.locator('main').textContent()) ?? '')?.[0],
    ).to.equal(undefined);
    await window.close();
  });

  it('should escape invisible characters in the list of runs and in table cells', async () => {
    await operator.uploadArtifact({
      runId,
      artifactName: 'pay.csv',
      body: `who,${REVERSED_TEXT}\nada,${REVERSED_TEXT}\n`,
      contentType: 'text/csv',
    });
    const window = await open('/runs');
    const { page } = window;
    for (const path of ['/runs', `/runs/${runId}?tab=artifacts&artifact=pay.csv`]) {
      await page.goto(`${countersign.url}${path}`);
      await page.getByText(ESCAPED_TEXT).first().waitFor();
      expect(await page.locator('main').innerHTML(), path).not.to.match(/[\u202a-\u202e\u200b]/);
    }
    await window.close();
  });

  it('should not report two truncated files as equal', async () => {
    // given
    const beginning = 'a line that is the same\n'.repeat(50_000);
    for (const end of ['harmless', 'harmful'])
      await operator.uploadArtifact({
        runId,
        artifactName: 'long.txt',
        body: `${beginning}${end}`,
        contentType: 'text/plain',
      });
    const window = await open(`/runs/${runId}?tab=artifacts`);

    // when
    await window.page
      .getByRole('row', { name: /long\.txt/ })
      .first()
      .click();
    await window.page.getByRole('button', { name: 'Compare with version 1' }).click();

    // then
    await window.page.getByText('but they may differ later on.').waitFor();
    await window.close();
  });

  it('should show the sign-in page if the stored token is invalid', async () => {
    for (const storedToken of ['{', 'null', '{"token":{},"expiresAt":"1e99"}']) {
      const window = await openWindow(browser, { url: countersign.url });
      await window.context.addInitScript(
        (value) => sessionStorage.setItem('countersign:dev-token:/', value),
        storedToken,
      );
      await window.page.goto(`${countersign.url}/runs`);
      await window.page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      await window.close();
    }
  });
});
