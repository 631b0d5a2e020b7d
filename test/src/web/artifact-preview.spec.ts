import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { createClient, type Client } from '@countersign/contract';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: previews of artifacts', () => {
  let countersign: TestHost;
  let browser: Browser;
  let operator: Client;
  let runId: string;
  let window: Window;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    await countersign.deploy(approvalModel('simple'));
    operator = createClient({ baseUrl: countersign.url, token: await countersign.token('operator') });
    ({ runId } = await operator.startRun({ body: { workflowId: 'simple', inputs: {} } }));
    window = await openWindow(browser, { url: countersign.url, token: await countersign.token('viewer') });
  });

  after(async () => {
    await window?.close();
    await browser?.close();
    await countersign.close();
  });

  const upload = (artifactName: string, body: string | Uint8Array<ArrayBuffer>, contentType: string) =>
    operator.uploadArtifact({ runId, artifactName, body, contentType });
  const openArtifact = async (name: string): Promise<Page> => {
    await window.page.goto(`${countersign.url}/runs/${runId}?tab=artifacts&artifact=${name}`);
    return window.page;
  };

  it('should show a small text completely, and the changes of its versions', async () => {
    // given
    await upload('notes.txt', 'the first version\n', 'text/plain');
    await upload('notes.txt', 'the second version\n', 'text/plain');

    // when
    const page = await openArtifact('notes.txt');
    await page.getByText('the second version').waitFor();

    // then
    expect(await page.getByText('Only the first').count()).to.equal(0);
    await page.getByRole('button', { name: 'Compare with version 1' }).click();
    await page.getByText('the first version').waitFor();
    expect(await page.getByText('differ later on').count()).to.equal(0);
  });

  it('should state that only the beginning of a large text is shown', async () => {
    await upload('large.txt', 'a line\n'.repeat(200_000), 'text/plain');
    const page = await openArtifact('large.txt');
    await page.getByText('Only the first 1 MiB are shown. Download it for the rest.').waitFor();
  });

  it('should offer the download of a small file of a type that it cannot show', async () => {
    await upload('small.bin', new Uint8Array([0, 1, 2, 255]), 'application/octet-stream');
    const page = await openArtifact('small.bin');
    await page.getByText('This file type can’t be shown here. Download it to view it.').waitFor();
  });
});
