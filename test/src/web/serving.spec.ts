import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { createMiddleware } from '@countersign/server';
import { expect } from 'chai';
import Koa from 'koa';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { expectAccessible, expectCount, hasBrowser, launchBrowser, openWindow } from './web.spec.support.js';

describe('web: serving the application', () => {
  let countersign: TestHost;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('simple'));
  });

  after(() => countersign.close());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${countersign.url}${path}`, { headers });

  it('should respond to navigations with the page, and to other requests for unknown paths with 404', async () => {
    const page = await get('/runs/42', { accept: 'text/html,*/*' });
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).to.deep.equal([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect((await get('/runs/42', { accept: 'application/json' })).status).to.equal(404);
    expect((await get('/api/nothing', { accept: 'text/html' })).status).to.equal(404);
    expect((await get('/assets/../../package.json', { accept: '*/*' })).status).to.equal(404);
    expect((await get('/assets/none.js', { accept: 'text/html' })).status).to.equal(404);
    expect(
      (await fetch(`${countersign.url}/runs`, { method: 'POST', headers: { accept: 'text/html' } })).status,
    ).to.equal(404);
  });

  it('should allow no inline scripts, and only inline styles with the nonce of the response', async () => {
    const [firstResponse, secondResponse] = await Promise.all([
      get('/', { accept: 'text/html' }),
      get('/', { accept: 'text/html' }),
    ]);
    const policies = [firstResponse, secondResponse].map(
      (response) => response.headers.get('content-security-policy') ?? '',
    );
    for (const policy of policies) expect(policy).to.match(/default-src 'none'; script-src 'self';/);
    expect(policies[0]).not.to.equal(policies[1]);
    const html = await firstResponse.text();
    expect(html).not.to.match(/<script(?![^>]*\ssrc=)/);
    expect(html).not.to.match(/https?:/);
    const nonce = /'nonce-([^']+)'/.exec(policies[0] ?? '')?.[1] ?? '';
    expect(html).to.contain(`name="csp-nonce" content="${nonce}"`);
  });

  it('should serve assets compressed, immutable and with nosniff', async () => {
    const html = await (await get('/', { accept: 'text/html' })).text();
    for (const [, asset = ''] of html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)) {
      const response = await get(`/${asset}`, { 'accept-encoding': 'br' });
      expect(response.status, asset).to.equal(200);
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
      if (!asset.startsWith('assets/')) continue;
      expect(response.headers.get('cache-control')).to.contain('immutable');
      const { byteLength } = await response.arrayBuffer();
      if (byteLength >= 1024) expect(response.headers.get('content-encoding'), asset).to.equal('br');
    }
  });

  it('should not serve the root of a host application, except with web: true', async () => {
    const serve = async (middleware: Koa.Middleware): Promise<{ url: string; close(): void }> => {
      const app = new Koa();
      app.use(middleware);
      app.use((ctx) => {
        ctx.body = 'the host';
      });
      const server = createServer(app.callback()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
    };
    const fetchHtml = async (url: string): Promise<string> =>
      (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const withoutWeb = await serve(createMiddleware(countersign.host));
    const withWeb = await serve(createMiddleware(countersign.host, { web: true }));
    const withPrefix = await serve(createMiddleware(countersign.host, { prefix: '/ops/flows' }));
    const withPrefixWithoutWeb = await serve(createMiddleware(countersign.host, { prefix: '/ops/flows', web: false }));
    expect(await fetchHtml(`${withoutWeb.url}/`)).to.equal('the host');
    expect(await fetchHtml(`${withWeb.url}/`)).to.contain('<base href="/"');
    expect(await fetchHtml(`${withPrefix.url}/`)).to.equal('the host');
    expect(await fetchHtml(`${withPrefix.url}/ops/flows/runs`)).to.contain('<base href="/ops/flows/"');
    expect(await fetchHtml(`${withPrefixWithoutWeb.url}/ops/flows/runs`)).to.equal('the host');
    for (const each of [withoutWeb, withWeb, withPrefix, withPrefixWithoutWeb]) each.close();
  });
});

(hasBrowser() ? describe : describe.skip)('web: signing in with a development token', () => {
  let countersign: TestHost;
  let browser: Browser;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost(), launchBrowser()]);
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  it('should report a failure of the sign-in configuration, and load it again on retry', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url });
    const { page } = window;
    await page.route('**/api/auth/config', (route) =>
      route.fulfill({ json: { mode: 'dev', issuer: null, clientId: null, scopes: [], roles: [] } }),
    );
    // when
    await page.goto(`${countersign.url}/runs`);
    // then
    await page.getByRole('alert').getByText('Something went wrong', { exact: true }).waitFor();
    await expectAccessible(page);
    // when
    await page.unroute('**/api/auth/config');
    await page.getByRole('button', { name: 'Try again' }).click();
    // then
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await window.close();
  });

  it('should sign in with a role by keyboard, show only permitted pages, and sign out', async () => {
    const window = await openWindow(browser, { url: countersign.url });
    const { page } = window;
    await page.goto(`${countersign.url}/workflows`);
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('radio', { name: 'Approver' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Tab');
    await page.keyboard.type('olga');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    await page.locator('[data-live="live"]').waitFor();
    await expectCount(page.getByRole('link', { name: 'Settings' }), 0);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'olga · Operator' }).click();
    const notices = page.waitForEvent('popup');
    await page.getByRole('menuitem', { name: 'Third-party notices' }).click();
    await (await notices).getByText('@mantine/core').first().waitFor();
    await (await notices).close();
    await page.getByRole('button', { name: 'olga · Operator' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await window.close();
  });
});
