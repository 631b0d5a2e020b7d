import type { Client } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page, Route } from 'playwright-core';
import { CuttableProxy } from './cuttable-proxy.spec.support.js';
import { hasBrowser, launchBrowser, waitUntilLive, openWindow } from './web.spec.support.js';

/** More tabs than the connections that a browser opens to a server over HTTP/1.1. */
const TAB_COUNT = 8;

const REFUSED_PROBLEM = Object.freeze({
  type: 'about:blank',
  title: 'Unauthorized',
  status: 401,
  code: 'unauthorized',
  retryable: false,
  traceId: '0',
  errors: [],
});

(hasBrowser() ? describe : describe.skip)('web: live updates in several tabs', function () {
  // The feed reconnects after a pause, see waitUntilLive().
  this.timeout(90_000);

  let countersign: TestHost;
  let browser: Browser;
  let operator: Client;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    operator = await countersign.client('operator');
    await countersign.deploy(approvalModel('simple'));
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  const openLivePage = async (page: Page): Promise<void> => {
    await page.goto(`${countersign.url}/runs`);
    await page.locator('[data-live="live"]').waitFor();
  };

  it('should share one change feed between all tabs, and continue it in another tab when the first closes', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('operator') });
    const feeds: Page[] = [];
    window.context.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/events') feeds.push(request.frame().page());
    });
    await openLivePage(window.page);
    const otherPages: Page[] = [];
    for (let tab = 1; tab < TAB_COUNT; tab += 1) {
      const page = await window.context.newPage();
      await openLivePage(page);
      otherPages.push(page);
    }
    expect(feeds).to.deep.equal([window.page]);
    // when
    await operator.startRun({ body: { workflowId: 'simple', businessKey: 'first' } });
    // then
    for (const page of [window.page, ...otherPages]) await page.getByRole('row').filter({ hasText: 'first' }).waitFor();
    // when
    await window.page.close();
    await operator.startRun({ body: { workflowId: 'simple', businessKey: 'second' } });
    // then
    for (const page of otherPages) await page.getByRole('row').filter({ hasText: 'second' }).waitFor();
    expect(feeds).to.have.length(2);
    await window.close();
  });

  it('should let another tab lead if the server refuses the token of the leading tab', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('operator') });
    await window.page.route('**/api/events', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify(REFUSED_PROBLEM) }),
    );
    await window.page.goto(`${countersign.url}/runs`);
    await window.page.locator('[data-live="polling"]').waitFor();
    // when
    const otherPage = await window.context.newPage();
    await openLivePage(otherPage);
    // then
    await window.page.locator('[data-live="live"]').waitFor();
    await window.close();
  });

  it('should be live again as soon as the user has signed in again', async () => {
    // given: the server no longer accepts the requests of this window
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('operator') });
    const { page } = window;
    const refuseRequests = (url: RegExp): Promise<unknown> =>
      page.route(url, (route) =>
        route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify(REFUSED_PROBLEM) }),
      );
    await refuseRequests(/\/api\/events/);
    await page.goto(`${countersign.url}/runs`);
    await page.locator('[data-live="polling"]').waitFor();
    await refuseRequests(/\/api\/runs/);
    await page.getByRole('searchbox', { name: 'Search' }).fill('again');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await page.unrouteAll();
    // when
    await dialog.getByRole('radiogroup', { name: 'Role' }).getByText('Operator').click();
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    // then
    await dialog.waitFor({ state: 'detached' });
    await page.locator('[data-live="live"]').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).to.equal('again');
    await window.close();
  });

  it('should continue from the last event without a gap when another tab takes the lead', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('operator') });
    await openLivePage(window.page);
    const otherPage = await window.context.newPage();
    await openLivePage(otherPage);
    await operator.startRun({ body: { workflowId: 'simple', businessKey: 'before-it' } });
    await otherPage.getByRole('row').filter({ hasText: 'before-it' }).waitFor();
    const statusChanges: string[] = [];
    await otherPage.exposeFunction('recordStatus', (status: string) => statusChanges.push(status));
    await otherPage.evaluate(() => {
      const indicator = document.querySelector('[data-live]');
      new MutationObserver(() =>
        (globalThis as unknown as { recordStatus(status: string): void }).recordStatus(
          indicator?.getAttribute('data-live') ?? 'gone',
        ),
      ).observe(indicator as Element, { attributes: true });
    });

    // when: the feed of the other tab is held back until a change has occurred
    let releaseRequest = (): void => undefined;
    const heldRequest = new Promise<void>((resolve) => (releaseRequest = resolve));
    await otherPage.route('**/api/events', async (route) => {
      await heldRequest;
      await route.continue();
    });
    const feed = otherPage.waitForRequest('**/api/events');
    await window.page.close();
    const request = await feed;
    await operator.startRun({ body: { workflowId: 'simple', businessKey: 'in-between' } });
    releaseRequest();

    // then
    expect(request.headers()['last-event-id']).to.be.a('string');
    await otherPage.getByRole('row').filter({ hasText: 'in-between' }).waitFor();
    expect(statusChanges, 'the status stays live').to.deep.equal([]);
    await window.close();
  });

  it('should continue from the last event without a gap after the connection was cut', async () => {
    // given: a connection that the test can cut
    const proxy = await CuttableProxy.start(countersign.url);
    const window = await openWindow(browser, { url: proxy.url, token: await countersign.token('operator') });
    const { page } = window;
    await page.goto(`${proxy.url}/runs`);
    await page.locator('[data-live="live"]').waitFor();
    const feeds: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/events') feeds.push(request.headers()['last-event-id']);
    });

    // when: the connection is cut before any change arrived
    proxy.cut();
    await page.locator('[data-live="polling"]').waitFor();
    await operator.startRun({ body: { workflowId: 'simple', businessKey: 'cut-once' } });
    proxy.restore();

    // then
    await waitUntilLive(page);
    await page.getByRole('row').filter({ hasText: 'cut-once' }).waitFor();
    expect(feeds).not.to.be.empty.and.not.to.include(undefined);
    await window.close();
    await proxy.close();
  });

  for (const [condition, block] of [
    ['requests for the feed fail', (route: Route) => route.abort()],
    [
      'a proxy does not allow streams',
      (route: Route) => route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Not found</h1>' }),
    ],
  ] as const) {
    it(`should reload the page data every few seconds if ${condition}`, async () => {
      // given
      const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('operator') });
      const { page } = window;
      await page.route('**/api/events', block);
      await page.goto(`${countersign.url}/runs`);
      await page.locator('[data-live="polling"]').getByText('Not live').waitFor();
      // when
      await operator.startRun({ body: { workflowId: 'simple', businessKey: `unseen as ${condition}` } });
      // then
      await page
        .getByRole('row')
        .filter({ hasText: `unseen as ${condition}` })
        .waitFor();
      // when the feed is available again
      await page.unroute('**/api/events');
      await waitUntilLive(page);
      await window.close();
    });
  }
});
