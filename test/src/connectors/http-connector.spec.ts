import { connectorHttpPlugin } from '@countersign/connector-http';
import type { Client } from '@countersign/contract';
import type { JsonObject } from '@countersign/core/plugin';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem } from '../http/http.spec.support.js';
import { connectorModel, startService, waitUntilSettled, type Service } from './connectors.spec.support.js';

const CANARY = 'canary-5d1c9e';

describe('the HTTP connector', () => {
  let test: TestHost;
  let service: Service;
  let client: Client;

  before(async () => {
    service = await startService();
    test = await createTestHost({
      plugins: [outboundHttpPlugin, connectorHttpPlugin],
      configuration: {
        Connectors: {
          AllowedNetworks: ['127.0.0.1'],
          Http: { AllowedHosts: [service.host] },
          Secrets: { API: { Value: CANARY, Hosts: [service.host] }, OTHER: { Value: CANARY, Hosts: ['api.example'] } },
        },
      },
    });
    client = await test.client('admin');
  });

  beforeEach(() => {
    service.calls.splice(0);
    service.respond = (_, response) => response.end();
  });

  after(async () => {
    await test.close();
    await service.close();
  });

  let modelCount = 0;
  const run = async (inputs: Record<string, string>, variables: JsonObject = {}) => {
    const workflowId = `calls-${(modelCount += 1)}`;
    await test.deploy(connectorModel(workflowId, 'call', 'http', inputs));
    const { runId } = await client.startRun({ body: { workflowId, inputs: variables } });
    const events = await waitUntilSettled(client, runId);
    const { steps, variables: result } = await client.getRun({ runId });
    return { runId, events, variables: result, error: steps.find(({ elementId }) => elementId === 'call')?.error };
  };

  it('should send the mapped inputs with a secret that is never exposed and store the response', async () => {
    // given
    service.respond = (call, response) =>
      response
        .writeHead(201, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ id: 7, echo: call.headers.authorization }));

    // when
    const { runId, events, variables } = await run(
      {
        'method': 'POST',
        'url': `="${service.url}/orders/" + order`,
        'query': '={page: 2}',
        'body': '={amount: amount}',
        'authentication.type': 'bearer',
        'authentication.secret': 'API',
      },
      { order: 'a1', amount: 5 },
    );

    // then
    expect(service.calls).to.have.length(1);
    expect(service.calls[0]).to.include({ method: 'POST', path: '/orders/a1?page=2', body: '{"amount":5}' });
    expect(service.calls[0]?.headers).to.include({
      'authorization': `Bearer ${CANARY}`,
      'content-type': 'application/json',
    });
    expect(variables['answer']).to.deep.include({
      status: 201,
      bodyType: 'json',
      body: { id: 7, echo: 'Bearer [secret]' },
    });
    const readableData = [
      events,
      await client.getRun({ runId }),
      await client.listAuditEvents({ runId }),
      test.host.configuration.entries,
    ];
    expect(JSON.stringify(readableData)).not.to.contain(CANARY);
  });

  it('should retry with the same idempotency key after the delay that the service requests', async () => {
    service.respond = (_, response) =>
      service.calls.length === 1 ? response.writeHead(429, { 'Retry-After': '1' }).end() : response.end('done');

    const { variables } = await run({ method: 'PUT', url: `${service.url}/busy` });

    expect(variables['answer']).to.deep.include({ status: 200 });
    const keys = service.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).to.have.length(2);
    expect(keys[0]).to.be.a('string').and.to.equal(keys[1]);
  });

  it('should raise an incident when a retry cannot succeed', async () => {
    service.respond = (_, response) => response.writeHead(404).end();

    expect((await run({ url: `${service.url}/missing` })).error).to.include({ code: 'http_status_404' });
    expect((await run({ url: `${service.url}/`, methd: 'PUT' })).error).to.include({ code: 'connector_input_invalid' });
    expect(
      (await run({ 'url': `${service.url}/`, 'authentication.type': 'bearer', 'authentication.secret': 'OTHER' }))
        .error,
    ).to.include({ code: 'outbound_secret_not_for_host' });
    expect(service.calls).to.have.length(1);
  });

  it('should call the service only once and raise an incident when a run cannot store the response', async () => {
    const codes: unknown[] = [];
    for (const body of [
      '['.repeat(200_000) + ']'.repeat(200_000),
      '{"__proto__": {"admin": true}}',
      '{"text": "\\u0000"}',
      '{"half":',
    ]) {
      service.respond = (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
      codes.push((await run({ method: 'POST', url: `${service.url}/` })).error?.code);
    }

    expect(codes).to.deep.equal([
      'job_result_invalid',
      'job_result_invalid',
      'job_result_invalid',
      'http_body_unreadable',
    ]);
    expect(service.calls).to.have.length(4);
  });

  it('should refuse other hosts, both directly and by a redirect', async () => {
    service.respond = (_, response) =>
      response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end();

    const { error } = await run({ url: 'http://localhost:1/' });
    expect(error).to.include({ code: 'outbound_host_not_allowed' });
    expect(error?.message).to.contain('Connectors:Http:AllowedHosts');
    expect((await run({ url: `${service.url}/` })).error).to.include({ code: 'outbound_host_not_allowed' });
    expect(service.calls).to.have.length(1);
  });

  it('should use a rotated secret immediately and refuse API changes that let the secret reach other hosts', async () => {
    // given
    const call = () =>
      run({
        'url': `${service.url}/`,
        'authentication.type': 'header',
        'authentication.name': 'X-Api-Key',
        'authentication.secret': 'API',
      });
    await call();

    // when
    await client.updateSettings({ body: { secrets: { 'Connectors:Secrets:API:Value': `${CANARY}-2` } } });
    await call();

    // then
    expect(service.calls.map(({ headers }) => headers['x-api-key'])).to.deep.equal([CANARY, `${CANARY}-2`]);
    const widerSettings = {
      'Connectors:Secrets:API:Hosts': ['*'],
      'Connectors:Secrets:API': { Hosts: ['*'] },
      'Connectors:Secrets': { API: { Hosts: ['*'] } },
      'Connectors:AllowedNetworks': ['10.0.0.0/8'],
    };
    for (const [key, value] of Object.entries(widerSettings)) {
      expect((await expectProblem(client.updateSettings({ body: { values: { [key]: value } } }))).status, key).to.equal(
        422,
      );
    }
  });

  it('should use no variables of the run that are not mapped', async () => {
    await run(
      { url: `${service.url}/` },
      { method: 'DELETE', authentication: { type: 'bearer', secret: 'API' }, body: 'x' },
    );

    expect(service.calls[0]).to.include({ method: 'GET', body: '' });
    expect(service.calls[0]?.headers).not.to.have.property('authorization');
  });
});
