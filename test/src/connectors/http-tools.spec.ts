import { connectorHttpPlugin } from '@countersign/connector-http';
import { OutboundHttpError, RetryableFailure, ToolError } from '@countersign/core/plugin';
import { expect } from 'chai';
import { startService, type Service } from './connectors.spec.support.js';
import { toolBench, type ToolBench } from './tools.spec.support.js';

const CANARY = 'canary-77e0b2';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly bodyType: string;
}

describe('what agents call over HTTP', () => {
  let service: Service;
  let workflowsOnly: Service;
  let tools: ToolBench;

  before(async () => {
    [service, workflowsOnly] = await Promise.all([startService(), startService()]);
    tools = toolBench(connectorHttpPlugin, {
      Connectors: {
        AllowedNetworks: ['127.0.0.1'],
        Http: { AllowedHosts: ['*:*'] },
        Secrets: {
          TRACKER: { Value: CANARY, Hosts: [service.host, workflowsOnly.host] },
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
    for (const each of [service, workflowsOnly]) {
      each.calls.splice(0);
      each.answer = (_, response) => response.end();
    }
  });

  after(() => Promise.all([service.close(), workflowsOnly.close()]));

  const json =
    (body: unknown, status = 200, headers: Record<string, string> = {}): Service['answer'] =>
    (_, response) =>
      void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

  describe('http.get', () => {
    it('should give the answer, with the headers that say something', async () => {
      // given
      service.answer = json({ open: 3 }, 200, { 'ETag': '"1"', 'X-Internal': 'host-7' });

      // when
      const { content, taint } = await tools.call<Answer>('http.get', {
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
      expect(taint, 'the taint of the tool, which is the rule').to.equal(undefined);
      expect(service.calls[0]).to.include({ method: 'GET', path: '/issues?state=open&page=2' });
      expect(service.calls[0]?.headers).not.to.have.property('idempotency-key');
    });

    for (const status of [301, 404, 500]) {
      it(`should give an answer of the status ${status}, and follow no redirect`, async () => {
        service.answer = (_, response) => response.writeHead(status, { Location: `${service.url}/elsewhere` }).end();

        expect((await tools.call<Answer>('http.get', { url: service.url })).content).to.deep.include({
          status,
          headers: { location: `${service.url}/elsewhere` },
        });
        expect(service.calls).to.have.length(1);
      });
    }

    it('should be tried again where the service says that it is busy', async () => {
      service.answer = (_, response) => response.writeHead(503, { 'Retry-After': '7' }).end();

      expect(await tools.refusal('http.get', { url: service.url }))
        .to.be.instanceOf(RetryableFailure)
        .and.include({ code: 'http_status_503', retryAfterMs: 7_000 });
    });

    it('should give what is not the JSON that it says it is, or none that a run can keep, as a text', async () => {
      for (const body of ['{"a": ', '{"__proto__": {"a": 1}}', '"\\u0000"']) {
        service.answer = (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);

        expect((await tools.call<Answer>('http.get', { url: service.url })).content, body).to.include({
          body,
          bodyType: 'text',
        });
      }
    });

    it('should let the model know what cannot be called, or is too large', async () => {
      service.answer = (_, response) => void response.end('x'.repeat(1_001));

      expect(await tools.refusal('http.get', { url: service.url }))
        .to.be.instanceOf(ToolError)
        .and.include({ code: 'outbound_response_too_large' });
    });

    for (const [what, more] of Object.entries({
      'a method of its own': { headers: { 'X-HTTP-Method-Override': 'DELETE' } },
      'any header that may be an order': { headers: { 'X-Delete': 'yes' } },
      'a body': { body: 'x' },
      'another method': { method: 'DELETE' },
      'a secret': { secret: 'TRACKER' },
      'authentication as workflows have it': { authentication: { type: 'bearer', secret: 'TRACKER' } },
    })) {
      it(`should not take ${what}`, () => {
        expect(tools.accepts('http.get', { url: 'https://api.example/' })).to.equal(true);
        expect(tools.accepts('http.get', { url: 'https://api.example/', ...more })).to.equal(false);
      });
    }

    for (const url of [
      'file:///etc/passwd',
      'api.example',
      'https://ada:secret@api.example/',
      'javascript:alert(1)',
      '',
    ]) {
      it(`should not take ${JSON.stringify(url)} for a URL`, () =>
        expect(tools.accepts('http.get', { url })).to.equal(false));
    }
  });

  describe('http.request', () => {
    it('should send what it is given, with the key of the call', async () => {
      service.answer = json({ id: 7 }, 201);

      const { content } = await tools.call<Answer>(
        'http.request',
        { method: 'POST', url: `${service.url}/orders`, body: { amount: 5 } },
        { idempotencyKey: 'call-9' },
      );

      expect(content).to.deep.include({ status: 201, body: { id: 7 } });
      expect(service.calls).to.have.length(1);
      expect(service.calls[0]).to.include({ method: 'POST', path: '/orders', body: '{"amount":5}' });
      expect(service.calls[0]?.headers).to.include({ 'idempotency-key': 'call-9', 'content-type': 'application/json' });
    });

    it('should go nowhere else by a redirect: that nobody has approved', async () => {
      service.answer = (_, response) => response.writeHead(307, { Location: `${workflowsOnly.url}/` }).end();

      expect(
        (await tools.call<Answer>('http.request', { method: 'POST', url: service.url, body: 'x' })).content,
      ).to.include({ status: 307 });
      expect(workflowsOnly.calls).to.eql([]);
    });

    it('should be surely not made where there was no connection, or the service says so', async () => {
      service.answer = (_, response) => response.writeHead(429, { 'Retry-After': '1' }).end();

      expect(await tools.refusal('http.request', { method: 'POST', url: 'http://127.0.0.1:1/' }))
        .to.be.instanceOf(RetryableFailure)
        .and.include({ code: 'outbound_unreachable' });
      expect(await tools.refusal('http.request', { method: 'POST', url: service.url }))
        .to.be.instanceOf(RetryableFailure)
        .and.include({ code: 'http_status_429' });
    });

    it('should leave open whether it was made where the connection breaks, or the answer cannot be taken in', async () => {
      for (const answer of [
        ((call, response) => void response.destroy()) as Service['answer'],
        ((call, response) => void response.end('x'.repeat(1_001))) as Service['answer'],
      ]) {
        service.answer = answer;

        const failure = await tools.refusal('http.request', { method: 'PUT', url: service.url });

        expect(failure).to.be.instanceOf(OutboundHttpError).and.include({ wasSent: true });
      }
    });

    it('should not be repeated by itself', () => {
      expect(tools.tool('http.request')).to.include({ effect: 'write', reversible: false, unknownOutcome: 'park' });
      expect(tools.tool('http.get')).to.include({ effect: 'read', unknownOutcome: 'repeat' });
    });

    it('should say where it goes, for the policy and for who approves it', () => {
      const { hosts, input } = tools.tool('http.request');

      const goes = (url: string) => hosts?.(input.parse({ method: 'PUT', url }));
      expect(goes('https://API.example:8443/a')).to.eql(['https://api.example:8443']);
      expect(goes('http://api.example:80/a')).to.eql(['http://api.example']);
    });

    for (const name of ['Idempotency-Key', 'x-http-method-override', 'X-Method-Override']) {
      it(`should not take the header ${name}`, () =>
        expect(
          tools.accepts('http.request', { method: 'PUT', url: 'https://api.example/', headers: { [name]: 'x' } }),
        ).to.equal(false));
    }

    for (const [what, more] of Object.entries({
      'a header': { Authorization: `Bearer ${CANARY}` },
      'a cookie': { Cookie: 'session=1' },
      'a broken header': { 'X-A': 'a\r\nX-B: b' },
    })) {
      it(`should not send a credential or a trick as ${what}`, async () => {
        expect(await tools.refusal('http.request', { method: 'POST', url: service.url, headers: more }))
          .to.be.instanceOf(ToolError)
          .and.include({ code: 'outbound_request_invalid' });
        expect(service.calls).to.eql([]);
      });
    }
  });

  describe('an agent that obeys whoever wants its secrets', () => {
    it('should get nowhere but to the hosts that are for agents', async () => {
      for (const url of [
        workflowsOnly.url,
        'https://evil.example/',
        'http://169.254.169.254/',
        `http://localhost:${new URL(service.url).port}/`,
      ]) {
        expect(await tools.refusal('http.get', { url, query: { data: 'what it has read' } }), url)
          .to.be.instanceOf(ToolError)
          .and.include({ code: 'outbound_host_not_allowed' });
        expect(await tools.refusal('http.request', { method: 'POST', url, credential: 'tracker' }), url)
          .to.be.instanceOf(ToolError)
          .and.include({ code: 'outbound_host_not_allowed' });
      }
      expect(workflowsOnly.calls).to.eql([]);
    });

    it('should sign in as the operator has said, and see nothing of it', async () => {
      service.answer = (call, response) => json({ echo: call.headers })(call, response);

      for (const [credential, header, value] of [
        ['tracker', 'authorization', `Bearer ${CANARY}`],
        ['key', 'x-api-key', CANARY],
        ['person', 'authorization', `Basic ${Buffer.from(`ada:${CANARY}`).toString('base64')}`],
      ] as const) {
        const output = await tools.call<Answer>('http.get', { url: service.url, credential });

        expect(service.calls.at(-1)?.headers[header]).to.equal(value);
        expect(JSON.stringify(output))
          .to.include('[secret]')
          .and.not.to.include(CANARY)
          .and.not.to.include(Buffer.from(`ada:${CANARY}`).toString('base64'));
      }
    });

    for (const credential of ['TRACKER', 'API', 'toString', '__proto__', CANARY]) {
      it(`should not sign in by ${credential === CANARY ? 'a secret itself' : credential}, which no operator has named for agents`, async () => {
        const refusal = await tools.refusal('http.request', { method: 'POST', url: service.url, credential });

        expect(refusal).to.be.instanceOf(ToolError).and.include({ code: 'http_credential_unknown' });
        expect(refusal.message).not.to.include(CANARY);
        expect(service.calls).to.eql([]);
      });
    }

    it('should not send a secret where it does not belong', async () => {
      expect(await tools.refusal('http.request', { method: 'POST', url: service.url, credential: 'misplaced' }))
        .to.be.instanceOf(ToolError)
        .and.include({ code: 'outbound_secret_not_for_host' });
      expect(service.calls).to.eql([]);
    });

    it('should not get a secret written for it into a URL, a header or a body', async () => {
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
