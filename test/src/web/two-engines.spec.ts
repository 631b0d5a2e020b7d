import type { Client } from '@countersign/contract';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import type { Browser } from 'playwright-core';
import { externalEnginePlugin } from '../engines/external-engine.spec.support.js';
import { expectAccessible, expectCount, hasBrowser, launchBrowser, openWindow } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: runs of two engines', () => {
  let embedded: TestHost;
  let external: TestHost | undefined;
  let browser: Browser;
  let admin: Client;

  before(async () => {
    [embedded, browser] = await Promise.all([
      createTestHost({ jobTypes: ['work'], engine: { plugin: engineEmbeddedPlugin } }),
      launchBrowser(),
    ]);
    admin = await embedded.client('admin', 'ada');
    await embedded.deploy(approvalModel('simple'));
  });

  after(async () => {
    await browser?.close();
    await external?.close();
    await embedded?.close();
  });

  const startRun = () => admin.startRun({ body: { workflowId: 'simple' } });

  it('should show the engine of runs only if it is not always the embedded engine', async () => {
    // given
    const { runId } = await startRun();
    const window = await openWindow(browser, { url: embedded.url, token: await embedded.token('operator') });
    const { page } = window;
    await page.goto(`${embedded.url}/runs/${runId}`);
    await page
      .getByText('Business key', { exact: true })
      .or(page.getByText('Started', { exact: true }))
      .first()
      .waitFor();
    await expectCount(page.getByText('Engine', { exact: true }), 0);
    await page.goto(`${embedded.url}/runs`);
    await page.getByRole('row').filter({ hasText: 'simple' }).waitFor();
    await expectCount(page.getByRole('columnheader', { name: 'Engine' }), 0);

    // when
    external = await createTestHost({
      jobTypes: ['work'],
      shareDataWith: embedded,
      engine: { plugin: externalEnginePlugin },
    });
    await admin.moveWorkflow({ workflowId: 'simple', body: { engine: 'external' } });
    const moved = await startRun();

    // then
    await page.getByRole('columnheader', { name: 'Engine' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'external' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'embedded' }).waitFor();
    await expectAccessible(page);
    await page.goto(`${embedded.url}/runs/${moved.runId}`);
    await page.locator('dl').filter({ hasText: 'Engine' }).getByText('external', { exact: true }).waitFor();
    await expectAccessible(page);
    await window.close();
  });
});
