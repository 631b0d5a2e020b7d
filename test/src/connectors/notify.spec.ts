import { connectorNotifyPlugin } from '@countersign/connector-notify';
import type { Client, OutboundDelivery } from '@countersign/contract';
import { OutboundDeliveryStore, type JsonObject } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { expectProblem } from '../http/http.spec.support.js';
import { connectorModel, startService, waitUntilSettled, type Service } from './connectors.spec.support.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const CANARY = 'canary-7be1';

describe('notifications to other systems', () => {
  let service: Service;
  let test: TestHost;
  let operator: Client;
  let sql: pg.Client;

  before(async () => {
    service = await startService();
    test = await createTestHost({
      plugins: [outboundHttpPlugin, connectorNotifyPlugin],
      configuration: buildConfiguration(),
    });
    operator = await test.client('operator');
    sql = new pg.Client(test.database.connectionString);
    await sql.connect();
    for (const [jobType, inputs] of [
      ['notify-webhook', { endpoint: '=endpoint', type: 'org.example.released', data: '={version: version}' }],
      ['notify-slack', { endpoint: 'chat', text: '="Released: " + version' }],
    ] as const) {
      await test.deploy(connectorModel(jobType, 'notify', jobType, inputs));
    }
  });

  const buildConfiguration = (): JsonObject => ({
    Connectors: {
      AllowedNetworks: ['127.0.0.1'],
      Notify: {
        Endpoints: [
          { Id: 'desk', Url: `${service.url}/hook?${CANARY}`, Secret: SECRET },
          { Id: 'other', Url: `${service.url}/other`, Secret: SECRET },
          { Id: 'misconfigured', Url: `${service.url}/unset`, Secret: 'too short' },
          { Id: 'chat', Kind: 'slack', Url: `${service.url}/services/${CANARY}` },
        ],
        // A short version of a retry plan that takes days.
        RetryAfter: ['PT1S', 'PT24H'],
      },
    },
  });

  beforeEach(async () => {
    service.calls.splice(0);
    service.respond = (_, response) => response.writeHead(204).end();
    await sql.query('TRUNCATE outbound_deliveries, troubled_endpoints');
  });

  after(async () => {
    await sql.end();
    await test.close();
    await service.close();
  });

  const startNotifyRun = async (endpoint = 'desk', workflowId = 'notify-webhook') => {
    const { runId } = await operator.startRun({ body: { workflowId, inputs: { endpoint, version: '<1.0>' } } });
    await waitUntilSettled(operator, runId);
    const { variables, steps } = await operator.getRun({ runId });
    const answer = variables['answer'] as { readonly deliveryId: string } | undefined;
    return {
      runId,
      deliveryId: answer?.deliveryId ?? '',
      error: steps.find(({ elementId }) => elementId === 'notify')?.error,
    };
  };
  const getDelivery = async (deliveryId: string): Promise<OutboundDelivery> => {
    const { items } = await operator.listOutboundDeliveries({ limit: 200 });
    const found = items.find((item) => item.deliveryId === deliveryId);
    if (found === undefined) throw new Error(`There is no delivery ${deliveryId}.`);
    return found;
  };
  const waitForDelivery = (deliveryId: string, condition: (found: OutboundDelivery) => boolean) =>
    waitUntil(`delivery ${deliveryId}`, async () => condition(await getDelivery(deliveryId)));
  /** Simulates that a day passes: makes the next attempt of every delivery due one day earlier. */
  const advanceOneDay = () =>
    sql.query(`UPDATE outbound_deliveries SET next_attempt_at = next_attempt_at - interval '1 day'`);

  it('should arrive as signed CloudEvents after the step has completed', async () => {
    const { runId, deliveryId } = await startNotifyRun();
    await waitForDelivery(deliveryId, ({ status }) => status === 'delivered');

    expect(service.calls).to.have.length(1);
    const [call] = service.calls;
    expect(call).to.include({ method: 'POST', path: `/hook?${CANARY}` });
    expect(call?.headers).to.include({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': deliveryId,
    });
    const event = new Webhook(SECRET).verify(call?.body ?? '', call?.headers as Record<string, string>);
    expect(event).to.deep.include({
      specversion: '1.0',
      id: deliveryId,
      type: 'org.example.released',
      source: '/countersign/workflows/notify-webhook',
      subject: runId,
      data: { version: '<1.0>' },
    });
    expect(await getDelivery(deliveryId)).to.include({
      runId,
      elementId: 'notify',
      endpointId: 'desk',
      attempts: 1,
      statusCode: 204,
      error: null,
    });
  });

  it('should arrive in Slack as escaped text without mentions', async () => {
    const { deliveryId } = await startNotifyRun('chat', 'notify-slack');
    await waitForDelivery(deliveryId, ({ status }) => status === 'delivered');

    expect(service.calls[0]).to.include({ path: `/services/${CANARY}`, body: '{"text":"Released: &lt;1.0&gt;"}' });
    expect(service.calls[0]?.headers).not.to.have.property('webhook-signature');
  });

  it('should be sent again under the same id until the endpoint accepts them', async () => {
    service.respond = (_, response) => response.writeHead(service.calls.length < 3 ? 503 : 200).end();

    const { deliveryId } = await startNotifyRun();
    await waitForDelivery(deliveryId, ({ attempts }) => attempts === 2);
    expect(await getDelivery(deliveryId)).to.include({ status: 'pending', statusCode: 503, error: 'http_status_503' });
    await advanceOneDay();
    await waitForDelivery(deliveryId, ({ status }) => status === 'delivered');

    expect(service.calls.map(({ headers }) => headers['webhook-id'])).to.deep.equal([
      deliveryId,
      deliveryId,
      deliveryId,
    ]);
    for (const call of service.calls) new Webhook(SECRET).verify(call.body, call.headers as Record<string, string>);
  });

  it('should fail after the last attempt and be sent again when an operator requests it', async () => {
    // given
    service.respond = (_, response) => response.writeHead(302, { Location: `${service.url}/elsewhere` }).end();
    const { deliveryId } = await startNotifyRun();
    await waitForDelivery(deliveryId, ({ attempts }) => attempts === 2);
    await advanceOneDay();
    await waitForDelivery(deliveryId, ({ status }) => status === 'failed');
    expect(service.calls.map(({ path }) => path)).not.to.include('/elsewhere');

    // when
    service.respond = (_, response) => response.end();
    expect(await operator.redeliverOutboundDelivery({ deliveryId })).to.include({
      deliveryId,
      status: 'pending',
      attempts: 0,
    });

    // then
    await waitForDelivery(deliveryId, ({ status }) => status === 'delivered');
    const { items } = await (await test.client('admin')).listAuditEvents({ limit: 200 });
    expect(
      items.filter(({ action }) => action === 'outbound_delivery.redeliver').map(({ actor }) => actor),
    ).to.deep.equal(['operator']);
  });

  it('should be held while their endpoint responds with 410, until a redelivery to it succeeds', async () => {
    // given
    service.respond = (call, response) => response.writeHead(call.path.startsWith('/hook') ? 410 : 200).end();
    const first = await startNotifyRun();
    await waitForDelivery(first.deliveryId, ({ held: isHeld }) => isHeld);
    const second = await startNotifyRun();
    const other = await startNotifyRun('other');
    await waitForDelivery(other.deliveryId, ({ status }) => status === 'delivered');
    expect(await getDelivery(second.deliveryId)).to.include({ status: 'pending', held: true, attempts: 0 });
    const ready = (await (
      await fetch(`${test.url}/api/health/ready`, {
        headers: { authorization: `Bearer ${await test.token('operator')}` },
      })
    ).json()) as {
      readonly checks: readonly { readonly name: string; readonly status: string; readonly detail: string }[];
    };
    expect(ready.checks.find(({ name }) => name === 'notifications'))
      .to.include({ status: 'warn' })
      .and.have.property('detail')
      .that.contains('"desk" has been disabled');

    // when
    service.respond = (_, response) => response.end();
    await operator.redeliverOutboundDelivery({ deliveryId: first.deliveryId });

    // then
    for (const { deliveryId } of [first, second])
      await waitForDelivery(deliveryId, ({ status }) => status === 'delivered');
  });

  it('should be sent again when a server stopped between sending a notification and recording the attempt', async () => {
    // given: a server that has sent the delivery and then died
    const deliveryId = '01990000-0000-7000-8000-000000000001';
    const store = test.host.get(OutboundDeliveryStore);
    await sql.query(
      `INSERT INTO outbound_deliveries (delivery_id, run_id, element_id, endpoint_id, content_type, body, epoch, next_attempt_at)
                     VALUES ($1, $1, 'notify', 'desk', 'application/json', '{}', 1, now() + interval '1 minute')`,
      [deliveryId],
    );
    const lateResult = {
      deliveryId,
      endpointId: 'desk',
      epoch: 1,
      statusCode: 500,
      error: 'http_status_500',
      retryInMs: null,
      disableAfterMs: 0,
    };

    // when: the lease of the stopped server expires
    await advanceOneDay();

    // then
    await waitForDelivery(deliveryId, ({ status }) => status === 'delivered');
    expect(service.calls.map(({ headers }) => headers['webhook-id'])).to.deep.equal([deliveryId]);
    expect(await store.record(lateResult)).to.equal(false);
  });

  it('should be sent exactly once when two running servers share them', async () => {
    const second = await createTestHost({
      shareDataWith: test,
      plugins: [outboundHttpPlugin, connectorNotifyPlugin],
      configuration: buildConfiguration(),
    });
    try {
      const notifyRuns = await Promise.all(
        Array.from({ length: 30 }, (_, index) => startNotifyRun(index % 2 === 0 ? 'desk' : 'other')),
      );
      for (const { deliveryId } of notifyRuns)
        await waitForDelivery(deliveryId, ({ status }) => status === 'delivered');

      const received = service.calls.map(({ headers }) => String(headers['webhook-id']));
      expect(received.sort()).to.deep.equal(notifyRuns.map(({ deliveryId }) => deliveryId).sort());
    } finally {
      await second.close();
    }
  });

  it('should be refused when the endpoint is unknown, of another kind or misconfigured', async () => {
    expect((await startNotifyRun('unknown')).error).to.include({ code: 'notify_endpoint_unknown' });
    expect((await startNotifyRun('chat')).error).to.include({ code: 'notify_endpoint_unknown' });
    const { error } = await startNotifyRun('misconfigured');
    expect(error)
      .to.include({ code: 'notify_endpoint_invalid' })
      .and.have.property('message')
      .that.contains('whsec_')
      .and.not.contains('too short');
    expect((await operator.listOutboundDeliveries({})).items).to.deep.equal([]);
  });

  it('should be tested by contacting the endpoints without sending a notification', async () => {
    const { ok, checks } = await (await test.client('admin')).testSettings({ target: 'notifications' });

    expect(ok).to.equal(false);
    expect(
      checks.filter(({ name }) => name.startsWith('Endpoint')).map(({ name, ok: each }) => [name, each]),
    ).to.deep.equal([
      ['Endpoint desk', true],
      ['Endpoint other', true],
      ['Endpoint misconfigured', false],
      ['Endpoint chat', true],
    ]);
    expect(JSON.stringify(checks)).to.contain('openssl rand').and.not.to.contain(CANARY);
    expect(service.calls.map(({ method, path, body }) => `${method} ${path} ${body}`)).to.deep.equal([
      'HEAD / ',
      'HEAD / ',
      'HEAD / ',
    ]);
  });

  it('should be signed with both the old and the new secret during a rotation, without a restart', async () => {
    // given
    const admin = await test.client('admin');
    const newSecret = `whsec_${randomBytes(32).toString('base64')}`;
    await admin.updateSettings({ body: { secrets: { 'Connectors:Notify:Endpoints:other:Secret': newSecret } } });

    // when
    const { deliveryId } = await startNotifyRun('other');
    await waitForDelivery(deliveryId, ({ status }) => status === 'delivered');

    // then
    const [call] = service.calls;
    for (const secret of [SECRET, newSecret])
      expect(new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>)).to.include({
        id: deliveryId,
      });
  });

  it('should be visible only to operators, without the secrets of the endpoints', async () => {
    const { deliveryId } = await startNotifyRun();
    await waitForDelivery(deliveryId, ({ status }) => status === 'delivered');
    const viewer = await test.client('viewer');

    expect(await expectProblem(viewer.listOutboundDeliveries({}))).to.include({ code: 'forbidden' });
    expect(await expectProblem(viewer.redeliverOutboundDelivery({ deliveryId }))).to.include({ code: 'forbidden' });
    expect(
      await expectProblem(operator.redeliverOutboundDelivery({ deliveryId: '01990000-0000-7000-8000-00000000dead' })),
    ).to.include({ code: 'outbound_delivery_not_found' });
    const { rows } = await sql.query('SELECT * FROM outbound_deliveries');
    for (const readableData of [rows, await operator.listOutboundDeliveries({}), test.host.configuration.entries])
      expect(JSON.stringify(readableData)).not.to.contain(CANARY).and.not.to.contain(SECRET);
  });
});
