import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Problem, Ready } from '@countersign/contract';
import { definePlugin, EnginePort, ReadinessCheckContribution } from '@countersign/core';
import { createMiddleware } from '@countersign/server';
import { approvalModel, createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { injectable } from 'inversify';
import Koa from 'koa';
import { isOnEmbedded } from '../engines/embedded-only.spec.support.js';

describe('API: service endpoints', () => {
  let countersign: TestHost;
  let engine: string;

  before(async () => {
    countersign = await createTestHost({
      jobTypes: ['work'],
      configuration: { Integrations: { CodeHost: { Secret: 'a secret long enough to cause no warning' } } },
    });
    await countersign.deploy(approvalModel('simple'));
    engine = countersign.host.get(EnginePort).name;
  });

  after(() => countersign.close());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${countersign.url}${path}`, { headers });

  it('should report health, runtime and engine status', async () => {
    expect(await (await get('/api/health/live')).json()).to.deep.equal({ status: 'ok' });
    const operator = { authorization: `Bearer ${await countersign.token('operator')}` };
    // A check that takes longer than a second reports a failure.
    const ready = await waitUntil('the server is ready', async () => {
      const response = (await (await get('/api/health/ready', operator)).json()) as Ready;
      return response.status === 'ok' && response;
    });
    expect(ready.checks.map((check) => check.name)).to.include.members(['database', 'artifacts', 'server']);
    expect(await (await get('/api/health/runtime', operator)).json())
      .to.include({ mode: engine })
      .and.to.have.property('version')
      .that.is.a('string');
    expect(await (await get('/api/health/engine')).json()).to.deep.equal({
      external: !isOnEmbedded,
      adapter: engine,
      status: 'ok',
      topology: null,
    });
  });

  it('should report to callers who are not operators only whether the service is available', async () => {
    const hiddenDetails = { version: null, instanceId: null, startedAt: null, workers: [] };
    const nonOperatorHeaders: Record<string, string>[] = [
      {},
      { authorization: 'Bearer forged' },
      { authorization: `Bearer ${await countersign.token('viewer')}` },
    ];
    for (const headers of nonOperatorHeaders) {
      const response = await waitUntil('the server is ready', async () => {
        const each = await get('/api/health/ready', headers);
        return each.status === 200 && each;
      });
      expect([response.status, await response.json()]).to.deep.equal([
        200,
        { status: 'ok', runtime: { mode: engine, ...hiddenDetails }, checks: [] },
      ]);
      expect(await (await get('/api/health/runtime', headers)).json()).to.deep.equal({
        mode: engine,
        ...hiddenDetails,
      });
    }
  });

  it('should describe the sign-in, issue a development token and return its user', async () => {
    expect(await (await get('/api/auth/config')).json()).to.deep.include({
      mode: 'development',
      issuer: null,
      devToken: {
        enabled: true,
        endpoint: '/api/auth/token',
        users: [
          { subject: 'ann', name: 'Ann', role: 'operator', groups: [] },
          { subject: 'bob', name: 'Bob', role: 'approver', groups: [] },
          { subject: 'carol', name: 'Carol', role: 'approver', groups: [] },
          { subject: 'vera', name: 'Vera', role: 'viewer', groups: [] },
          { subject: 'alice', name: 'Alice', role: 'admin', groups: [] },
        ],
      },
    });
    const body = JSON.stringify({ subject: 'ada', role: 'approver', name: 'Ada', groups: ['board'] });
    const response = await fetch(`${countersign.url}/api/auth/token`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const { access_token: token, token_type: type } = (await response.json()) as {
      access_token: string;
      token_type: string;
    };
    expect([response.status, type, response.headers.get('cache-control')]).to.deep.equal([200, 'Bearer', 'no-store']);
    const me = await (await get('/api/me', { authorization: `Bearer ${token}` })).json();
    expect(me).to.deep.include({
      subject: 'ada',
      name: 'Ada',
      kind: 'user',
      role: 'approver',
      roles: ['approver'],
      groups: ['board'],
      may: { startRun: true, deploy: false },
    });
  });

  it('should replay the response of a repeated start and refuse another request with the same idempotency key', async () => {
    const token = await countersign.token('viewer');
    const start = (key: string, inputs: object): Promise<Response> =>
      fetch(`${countersign.url}/api/runs`, {
        method: 'POST',
        headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ workflowId: 'simple', inputs }),
      });
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => start('one', { a: 1, b: 2 })));
    const responses = [first, ...others];
    const runIdsOrStatuses = await Promise.all(
      responses.map(async (response) =>
        response?.status === 201 ? ((await response.json()) as { runId: string }).runId : response?.status,
      ),
    );
    const runIds = new Set(runIdsOrStatuses.filter((id) => typeof id === 'string'));
    expect(runIds.size).to.equal(1);
    for (const id of runIdsOrStatuses) if (typeof id === 'number') expect(id).to.equal(409);
    const repeatedResponse = await start('one', { b: 2, a: 1 });
    expect([repeatedResponse.status, repeatedResponse.headers.get('idempotent-replayed')]).to.deep.equal([201, 'true']);
    expect([...runIds]).to.deep.equal([((await repeatedResponse.json()) as { runId: string }).runId]);
    const reusedKeyResponse = await start('one', { a: 2 });
    expect([reusedKeyResponse.status, ((await reusedKeyResponse.json()) as Problem).code]).to.deep.equal([
      422,
      'idempotency_key_reused',
    ]);
    const otherUserResponse = await fetch(`${countersign.url}/api/runs`, {
      method: 'POST',
      headers: {
        'authorization': `Bearer ${await countersign.token('viewer', { subject: 'other' })}`,
        'content-type': 'application/json',
        'idempotency-key': 'one',
      },
      body: JSON.stringify({ workflowId: 'simple' }),
    });
    expect([otherUserResponse.status, otherUserResponse.headers.get('idempotent-replayed')]).to.deep.equal([201, null]);
  });

  it('should serve its OpenAPI document and its documentation page without external resources', async () => {
    const document = await get('/openapi/v1.json');
    expect(((await document.json()) as { openapi: string }).openapi).to.match(/^3\.1/);
    expect((await get('/openapi/v1.json', { 'if-none-match': document.headers.get('etag') ?? '' })).status).to.equal(
      304,
    );
    const page = await get('/api/docs');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).to.contain("script-src 'self'");
    expect(html).not.to.match(/https?:|<script>|onload=/);
    for (const [, asset = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const response = await get(asset);
      expect(response.status, asset).to.equal(200);
      await response.arrayBuffer();
    }
    expect((await get('/api/docs/package.json')).status).to.equal(404);
  });

  /** Waits for a metric. Metrics from the database are omitted if they take longer than a second. */
  const waitForMetrics = (expectedText: string): Promise<string> =>
    waitUntil(`the metrics contain ${expectedText}`, async () => {
      const headers = { authorization: `Bearer ${await countersign.token('viewer')}` };
      const text = await (await get('/metrics', headers)).text();
      return text.includes(expectedText) && text;
    });

  it('should serve metrics to signed-in callers only', async () => {
    expect((await get('/metrics')).status).to.equal(401);
    const text = await waitForMetrics('countersign_messages_buffered 0');
    expect(text)
      .to.contain('countersign_http_request_duration_seconds_bucket')
      .and.to.contain('process_cpu_seconds_total')
      .and.to.contain('countersign_commands_total{operation="startRun"}');
    expect(text).to.contain('route="/api/health/live"');
  });

  it('should report the number of buffered messages in the metrics', async () => {
    const context = { actor: { type: 'service', id: 'shop', name: null }, from: null, traceId: null } as const;
    await countersign.host.get(EnginePort).correlateMessage({
      context,
      messageName: 'nobody-waits',
      correlationKey: 'k',
      payload: {},
      bufferForMs: 3_600_000,
    });
    await waitForMetrics('countersign_messages_buffered 1');
  });

  it('should respond to HEAD and OPTIONS', async () => {
    const head = await fetch(`${countersign.url}/api/health/live`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).to.deep.equal([200, '15', '']);
    const options = await fetch(`${countersign.url}/api/runs`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'GET, HEAD, OPTIONS, POST']);
  });

  it('should respond with 429 to a caller who exceeds the rate limit, and not to others', async () => {
    const limitedServer = await createTestHost({ configuration: { Limits: { RequestsPerMinute: 60 } } });
    const headers = { authorization: `Bearer ${await limitedServer.token('viewer')}` };
    const responses = await Promise.all(
      Array.from({ length: 61 }, () => fetch(`${limitedServer.url}/api/me`, { headers })),
    );
    const other = await fetch(`${limitedServer.url}/api/me`, {
      headers: { authorization: `Bearer ${await limitedServer.token('operator')}` },
    });
    await limitedServer.close();
    expect(other.status).to.equal(200);
    const refused = responses.filter((response) => response.status === 429);
    expect(refused).to.have.length(1);
    expect(Number(refused[0]?.headers.get('retry-after'))).to.be.within(1, 60);
  });

  it('should limit failing requests from one address without refusing its valid requests', async () => {
    // given
    const attackedServer = await createTestHost({ configuration: { Limits: { RequestsPerMinute: 60_000 } } });
    const sendInvalidToken = (): Promise<Response> =>
      fetch(`${attackedServer.url}/api/me`, { headers: { authorization: 'Bearer a.b.c' } });
    const statuses = new Set<number>();
    // when
    for (let count = 0; count < 310; count += 1) statuses.add((await sendInvalidToken()).status);
    // then
    expect([...statuses]).to.deep.equal([401, 429]);
    const headers = { authorization: `Bearer ${await attackedServer.token('viewer')}` };
    for (const path of ['/api/me', '/api/runs', '/api/health/ready', '/api/health/live', '/api/auth/config', '/']) {
      await waitUntil(`${path} responds with 200`, async () => {
        const { status } = await fetch(
          `${attackedServer.url}${path}`,
          path.startsWith('/api/health') ? {} : { headers },
        );
        // Readiness may take longer than its own time limit.
        expect(status, path).to.be.oneOf(path === '/api/health/ready' ? [200, 503] : [200]);
        return status === 200;
      });
    }
    // an expired token still results in 401, so that the user signs in again
    const expired = { authorization: `Bearer ${await attackedServer.token('viewer', { expiresInSeconds: -60 })}` };
    const response = await fetch(`${attackedServer.url}/api/me`, { headers: expired });
    expect([response.status, ((await response.json()) as Problem).code]).to.deep.equal([401, 'invalid_token']);
    // errors of a signed-in user are returned unchanged
    expect((await fetch(`${attackedServer.url}/api/runs/unknown`, { headers })).status).to.equal(404);
    expect((await fetch(`${attackedServer.url}/nowhere`)).status).to.equal(429);
    await attackedServer.close();
  });

  it('should work mounted in another application without affecting its other routes', async () => {
    // given
    const errors: unknown[] = [];
    const app = new Koa();
    app.on('error', (error) => errors.push(error));
    const middleware = createMiddleware(countersign.host, { prefix: '/flow' });
    app.use(middleware);
    app.use(async (ctx) => {
      ctx.body = `mine: ${ctx.path}`;
    });
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const token = await countersign.token('viewer');
    const headers = { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' };

    // when, then
    expect(await (await fetch(`${baseUrl}/api/runs`)).text()).to.equal('mine: /api/runs');
    expect(await (await fetch(`${baseUrl}/flow/other`)).text()).to.equal('mine: /flow/other');
    const started = await fetch(`${baseUrl}/flow/api/runs`, {
      method: 'POST',
      headers,
      body: '{"workflowId":"simple"}',
    });
    expect(started.headers.get('location')).to.match(/^\/flow\/api\/runs\/[0-9a-f-]{36}$/);
    const refused = await fetch(`${baseUrl}/flow/api/runs`, { method: 'POST', headers, body: '{' });
    expect(((await refused.json()) as Problem).instance).to.equal('/flow/api/runs');
    const docs = await (await fetch(`${baseUrl}/flow/api/docs`)).text();
    expect(docs).to.contain('"/flow/openapi/v1.json"');
    const abortController = new AbortController();
    const stream = await fetch(`${baseUrl}/flow/api/events`, { headers, signal: abortController.signal });
    const reader = stream.body?.getReader();
    await reader?.read();
    abortController.abort();
    middleware.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(errors).to.deep.equal([]);
  });

  it('should not be ready when a check fails, and show the failed check to operators only', async () => {
    class BrokenReadinessCheck implements ReadinessCheckContribution {
      readonly name = 'mine';

      check(): Promise<never> {
        return Promise.reject(new Error('no route to 10.0.0.7'));
      }
    }
    injectable()(BrokenReadinessCheck);
    const plugin = definePlugin({
      id: 'broken',
      register: ({ contribute }) => contribute(ReadinessCheckContribution, BrokenReadinessCheck),
    });
    const brokenServer = await createTestHost({ plugins: [plugin] });
    const response = await fetch(`${brokenServer.url}/api/health/ready`, {
      headers: { authorization: `Bearer ${await brokenServer.token('operator')}` },
    });
    const ready = (await response.json()) as Ready;
    const anonymousResponse = await fetch(`${brokenServer.url}/api/health/ready`);
    expect([anonymousResponse.status, ((await anonymousResponse.json()) as Ready).checks]).to.deep.equal([503, []]);
    await brokenServer.close();
    expect(response.status).to.equal(503);
    expect(ready.status).to.equal('fail');
    expect(ready.checks.find((check) => check.name === 'mine')).to.deep.equal({
      name: 'mine',
      status: 'fail',
      detail: 'not responding; see the log',
    });
  });
});
