import { connect } from 'node:net';
import { ERROR_CODES, type ErrorCode, type Problem } from '@countersign/contract';
import { StoragePort } from '@countersign/core';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';

const UNKNOWN_ID = '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77';
const INPUT_SCHEMA_EXTENSION = `<bpmn:extensionElements><zeebe:properties><zeebe:property name="inputSchema" value='{"type":"object","required":["amount"],"additionalProperties":false,"properties":{"amount":{"type":"integer","minimum":1},"lines":{"type":"array","items":{"type":"object","required":["sku"]}}}}' /></zeebe:properties></bpmn:extensionElements>`;

interface Case {
  readonly title: string;
  readonly method?: string;
  readonly path?: string;
  readonly role?: 'viewer' | 'operator' | 'approver' | 'admin';
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly code: ErrorCode;
  readonly pointer?: string;
}

const START_RUN_BODY = '{"workflowId":"simple"}';

const cases: readonly Case[] = [
  { title: 'broken JSON', body: '{"workflowId": ', code: 'malformed_json' },
  { title: 'a missing body', code: 'malformed_json', headers: { 'content-type': 'application/json' } },
  { title: 'an empty body', body: '', code: 'malformed_json' },
  {
    title: 'a body that is not UTF-8',
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    code: 'malformed_request',
  },
  { title: 'a field of the wrong type', body: '{"workflowId":7}', code: 'validation_failed', pointer: '/workflowId' },
  { title: 'a body that is a list', body: '[]', code: 'validation_failed', pointer: '' },
  { title: 'a missing field', body: '{}', code: 'validation_failed', pointer: '/workflowId' },
  {
    title: 'an unknown field',
    body: '{"workflowId":"simple","priority":1}',
    code: 'validation_failed',
    pointer: '/priority',
  },
  {
    title: 'the key __proto__',
    body: '{"workflowId":"simple","inputs":{"__proto__":{"admin":true}}}',
    code: 'polluting_key',
    pointer: '/inputs/__proto__',
  },
  {
    title: 'the key constructor',
    body: '{"workflowId":"simple","inputs":{"a":{"constructor":1}}}',
    code: 'polluting_key',
    pointer: '/inputs/a/constructor',
  },
  {
    title: 'a NUL character',
    body: '{"workflowId":"simple","inputs":{"a":"\\u0000"}}',
    code: 'validation_failed',
    pointer: '/inputs/a',
  },
  {
    title: 'an unpaired surrogate',
    body: '{"workflowId":"simple","inputs":{"a":"\\ud800"}}',
    code: 'validation_failed',
    pointer: '/inputs/a',
  },
  {
    title: 'inputs with a number that a variable cannot hold',
    body: '{"workflowId":"simple","inputs":{"order":{"account":[9007199254740993]}}}',
    code: 'validation_failed',
    pointer: '/inputs/order/account/0',
  },
  {
    title: 'condition variables with a number that a variable cannot hold',
    path: '/api/conditions/evaluate',
    role: 'operator',
    body: '{"variables":{"account":8202522731445525542}}',
    code: 'validation_failed',
    pointer: '/variables/account',
  },
  {
    title: 'recovery variables with a number that a variable cannot hold',
    path: `/api/runs/${UNKNOWN_ID}/recover`,
    role: 'operator',
    body: '{"variables":{"amount":0.1234567890123456789}}',
    code: 'validation_failed',
    pointer: '/variables/amount',
  },
  {
    title: 'an answer with a number that a variable cannot hold',
    path: `/api/runs/${UNKNOWN_ID}/conversation/${UNKNOWN_ID}/answer`,
    role: 'approver',
    body: '{"answer":{"account":9007199254740993}}',
    code: 'validation_failed',
    pointer: '/answer/account',
  },
  {
    title: 'edited arguments with a number that a variable cannot hold',
    path: `/api/approvals/${UNKNOWN_ID}/decision`,
    role: 'approver',
    body: '{"decision":"approve","editedArguments":{"account":9007199254740993}}',
    code: 'validation_failed',
    pointer: '/editedArguments/account',
  },
  {
    title: 'a large integer, even if a double can represent it exactly',
    body: '{"workflowId":"simple","inputs":{"at":1764201600000000000}}',
    code: 'validation_failed',
    pointer: '/inputs/at',
  },
  {
    title: 'an infinite number',
    body: '{"workflowId":"simple","inputs":{"amount":1e400}}',
    code: 'validation_failed',
    pointer: '/inputs/amount',
  },
  {
    title: 'a hundred thousand nested brackets',
    body: `{"workflowId":"simple","inputs":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    code: 'validation_failed',
  },
  { title: 'a huge body', body: `{"workflowId":"${'x'.repeat(1_100_000)}"}`, code: 'payload_too_large' },
  {
    title: 'an unsupported content type',
    body: START_RUN_BODY,
    headers: { 'content-type': 'text/plain' },
    code: 'unsupported_media_type',
  },
  {
    title: 'an unsupported charset',
    body: START_RUN_BODY,
    headers: { 'content-type': 'application/json; charset=utf-16' },
    code: 'unsupported_media_type',
  },
  {
    title: 'a compressed body',
    body: START_RUN_BODY,
    headers: { 'content-encoding': 'gzip' },
    code: 'unsupported_media_type',
  },
  {
    title: 'an invalid idempotency key',
    body: START_RUN_BODY,
    headers: { 'idempotency-key': 'a b' },
    code: 'invalid_parameter',
    pointer: '/headers/idempotency-key',
  },
  { title: 'an unknown workflow', body: '{"workflowId":"nothing"}', code: 'workflow_not_found' },
  { title: 'an unknown version', body: '{"workflowId":"simple","version":9}', code: 'workflow_version_not_found' },
  {
    title: 'inputs that violate the schema',
    body: '{"workflowId":"strict","inputs":{"amount":0,"extra":1}}',
    code: 'inputs_invalid',
    pointer: '/inputs/amount',
  },
  {
    title: 'inputs that lack a nested required field',
    body: '{"workflowId":"strict","inputs":{"amount":1,"lines":[{"sku":"a"},{}]}}',
    code: 'inputs_invalid',
    pointer: '/inputs/lines/1',
  },
  {
    title: 'a result variable among the inputs',
    body: '{"workflowId":"simple","inputs":{"approval":{"decision":"approve"}}}',
    code: 'result_variable_reserved',
  },
  { title: 'an unknown run id', method: 'GET', path: `/api/runs/${UNKNOWN_ID}`, code: 'run_not_found' },
  { title: 'events of an unknown run', method: 'GET', path: `/api/runs/${UNKNOWN_ID}/events`, code: 'run_not_found' },
  {
    title: 'a stream of an unknown run',
    method: 'GET',
    path: `/api/runs/${UNKNOWN_ID}/events`,
    headers: { accept: 'text/event-stream' },
    code: 'run_not_found',
  },
  { title: 'a malformed run id', method: 'GET', path: '/api/runs/7', code: 'run_not_found' },
  { title: 'an invalid percent-encoding', method: 'GET', path: '/api/workflows/%E0%A4%A', code: 'malformed_request' },
  { title: 'an unknown approval', method: 'GET', path: `/api/approvals/${UNKNOWN_ID}`, code: 'approval_not_found' },
  {
    title: 'a decision on an unknown approval',
    path: `/api/approvals/${UNKNOWN_ID}/decision`,
    role: 'approver',
    body: '{"decision":"approve"}',
    code: 'approval_not_found',
  },
  {
    title: 'an unknown approval decision',
    path: `/api/approvals/${UNKNOWN_ID}/decision`,
    role: 'approver',
    body: '{"decision":"maybe"}',
    code: 'validation_failed',
    pointer: '/decision',
  },
  {
    title: 'a recovery of an unknown run',
    path: `/api/runs/${UNKNOWN_ID}/recover`,
    role: 'operator',
    code: 'run_not_found',
  },
  {
    title: 'a plan for an unknown run',
    path: `/api/runs/${UNKNOWN_ID}/cancel?dryRun=true`,
    role: 'operator',
    body: '{"reason":"x"}',
    code: 'run_not_found',
  },
  {
    title: 'an evidence pack of an unknown run',
    method: 'GET',
    path: `/api/runs/${UNKNOWN_ID}/evidence-pack`,
    code: 'run_not_found',
  },
  {
    title: 'an invalid query parameter',
    method: 'GET',
    path: '/api/runs?limit=0',
    code: 'invalid_parameter',
    pointer: '/query/limit',
  },
  {
    title: 'an unknown query parameter',
    method: 'GET',
    path: '/api/runs?color=red',
    code: 'invalid_parameter',
    pointer: '/query/color',
  },
  {
    title: 'a query parameter that occurs twice',
    method: 'GET',
    path: '/api/runs?limit=1&limit=2',
    code: 'invalid_parameter',
    pointer: '/query/limit',
  },
  {
    title: 'a query parameter named __proto__',
    method: 'GET',
    path: '/api/runs?__proto__=1',
    code: 'invalid_parameter',
  },
  {
    title: 'an unsupported method',
    method: 'PUT',
    path: '/api/runs',
    body: START_RUN_BODY,
    code: 'method_not_allowed',
  },
  { title: 'an unknown path', method: 'GET', path: '/api/run', code: 'route_not_found' },
  {
    title: 'an unsupported response format',
    method: 'GET',
    path: '/api/runs',
    headers: { accept: 'application/xml' },
    code: 'not_acceptable',
  },
  {
    title: 'XML with the content type of JSON',
    path: '/api/workflows',
    role: 'admin',
    body: '<a/>',
    code: 'unsupported_media_type',
  },
  {
    title: 'a BPMN model that cannot be executed',
    path: '/api/workflows',
    role: 'admin',
    headers: { 'content-type': 'application/xml' },
    body: approvalModel('odd').replace(
      '<bpmn:endEvent id="end" />',
      '<bpmn:endEvent id="end"><bpmn:signalEventDefinition id="s" /></bpmn:endEvent>',
    ),
    code: 'model_refused',
    pointer: 'end',
  },
  {
    title: 'a body that is not XML',
    path: '/api/workflows',
    role: 'admin',
    headers: { 'content-type': 'application/xml' },
    body: 'hello',
    code: 'model_refused',
  },
  {
    title: 'a viewer who deploys',
    path: '/api/workflows',
    headers: { 'content-type': 'application/xml' },
    body: approvalModel('mine'),
    code: 'forbidden',
  },
  {
    title: 'a viewer who votes',
    path: `/api/approvals/${UNKNOWN_ID}/decision`,
    body: '{"decision":"approve"}',
    code: 'forbidden',
  },
  { title: 'a viewer who cancels', path: `/api/runs/${UNKNOWN_ID}/cancel`, body: '{"reason":"x"}', code: 'forbidden' },
  {
    title: 'an operator who reads the audit trail of all runs',
    method: 'GET',
    path: '/api/audit-events',
    role: 'operator',
    code: 'forbidden',
  },
  { title: 'a missing token', body: START_RUN_BODY, headers: { authorization: '' }, code: 'unauthenticated' },
  {
    title: 'an unsupported authentication scheme',
    body: START_RUN_BODY,
    headers: { authorization: 'Basic YTpi' },
    code: 'unauthenticated',
  },
  { title: 'a malformed token', body: START_RUN_BODY, headers: { authorization: 'Bearer abc' }, code: 'invalid_token' },
];

describe('API: bad input', () => {
  let countersign: TestHost;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('simple'));
    await countersign.deploy(approvalModel('strict', INPUT_SCHEMA_EXTENSION));
  });

  after(() => countersign.close());

  async function send({
    method = 'POST',
    path = '/api/runs',
    role = 'viewer',
    headers = {},
    body,
  }: Omit<Case, 'title' | 'code'>): Promise<Response> {
    const allHeaders: Record<string, string> = {
      authorization: `Bearer ${await countersign.token(role)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const presentHeaders = Object.fromEntries(Object.entries(allHeaders).filter(([, value]) => value !== ''));
    return fetch(`${countersign.url}${path}`, {
      method,
      headers: presentHeaders,
      ...(body === undefined ? {} : { body }),
    });
  }

  async function expectProblem(response: Response, code: ErrorCode): Promise<Problem> {
    const problem = (await response.json()) as Problem;
    expect(problem, JSON.stringify(problem)).to.include({
      code,
      status: ERROR_CODES[code].status,
      type: `urn:countersign:problem:${code}`,
      retryable: ERROR_CODES[code].retryable,
    });
    expect(response.status).to.equal(problem.status);
    expect(response.headers.get('content-type')).to.match(/^application\/problem\+json/);
    expect(response.headers.get('x-request-id')).to.equal(problem.traceId);
    expect(JSON.stringify(problem)).not.to.match(/at .*\.js|node_modules|eyJ/);
    return problem;
  }

  for (const testCase of cases) {
    it(`should refuse ${testCase.title}`, async () => {
      const response = await send(testCase);
      const problem = await expectProblem(response, testCase.code);
      if (testCase.pointer !== undefined)
        expect(problem.errors.map((error) => error.pointer)).to.include(testCase.pointer);
      if (problem.status === 401) expect(response.headers.get('www-authenticate')).to.match(/^Bearer/);
      if (problem.status === 405) expect(response.headers.get('allow')).to.equal('GET, HEAD, OPTIONS, POST');
    });
  }

  it('should refuse tokens that are expired, forged, unsigned, or signed with the public key as a secret', async () => {
    const validToken = await countersign.token('admin');
    const [header = '', payload = '', signature = ''] = validToken.split('.');
    const encodePart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const foreignServer = await createTestHost();
    const tokens = [
      await countersign.token('admin', { expiresInSeconds: -60 }),
      `${encodePart({ alg: 'none' })}.${payload}.`,
      `${encodePart({ alg: 'none' })}.${payload}.${signature}`,
      `${encodePart({ alg: 'HS256' })}.${payload}.${signature}`,
      `${header}.${encodePart({ ...claims, roles: ['admin'], sub: 'somebody' })}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}${signature.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`,
      await foreignServer.token('admin'),
    ];
    await foreignServer.close();
    for (const token of tokens) {
      const response = await send({ headers: { authorization: `Bearer ${token}` }, body: START_RUN_BODY });
      await expectProblem(response, 'invalid_token');
      expect(response.headers.get('www-authenticate')).to.contain('error="invalid_token"');
    }
  });

  it('should refuse the vote of a service and audit the refusal', async () => {
    const client = await countersign.client('viewer');
    const { runId } = await client.startRun({ body: { workflowId: 'simple' } });
    await countersign.jobs.complete('work');
    let approvalId = '';
    for await (const event of client.streamRunEvents({ runId })) {
      if (event.type !== 'approval.requested') continue;
      approvalId = String(event.data['approvalId']);
      break;
    }
    const robotToken = await countersign.token('approver', { subject: 'robot', kind: 'service' });
    const response = await send({
      path: `/api/approvals/${approvalId}/decision`,
      headers: { authorization: `Bearer ${robotToken}` },
      body: '{"decision":"approve"}',
    });
    await expectProblem(response, 'service_cannot_decide');
    const admin = await countersign.client('admin');
    const audit = await admin.listAuditEvents({ runId, actor: 'robot' });
    expect(audit.items[0]).to.deep.include({ action: 'approval.vote', result: 'refused' });
    expect(audit.items[0]?.target).to.include({ type: 'approval', id: approvalId });
    await admin.cancelRun({ runId, body: { reason: 'done' } });
  });

  it('should audit requests that were refused because of a missing role', async () => {
    const admin = await countersign.client('admin');
    const { items } = await admin.listAuditEvents({ actor: 'viewer', limit: 200 });
    const refusedActions = items.filter((item) => item.result === 'refused').map((item) => item.action);
    expect(refusedActions).to.include.members(['workflow.deploy', 'approval.decide', 'run.cancel']);
  });

  it('should change nothing when requests are refused', async () => {
    const storage = countersign.host.get(StoragePort);
    const { items } = await storage.listRuns({}, { limit: 200 });
    expect(items.map((item) => item.outcome)).to.deep.equal(['cancelled']);
    const workflows = await storage.listWorkflows({ limit: 200 });
    expect(workflows.items.map((item) => item.workflowId)).to.have.members(['simple', 'strict']);
    expect(({} as Record<string, unknown>)['admin']).to.equal(undefined);
  });

  it('should respond with a problem document to malformed HTTP', async () => {
    const socket = connect(Number(new URL(countersign.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nbroken\r\n\r\n');
    let rawResponse = '';
    for await (const chunk of socket) rawResponse += String(chunk);
    expect(rawResponse)
      .to.match(/^HTTP\/1.1 400 /)
      .and.to.contain('"code":"malformed_request"');
  });

  it('should use a valid request id of the client and replace an invalid one', async () => {
    const validIdResponse = await send({
      method: 'GET',
      path: '/api/health/live',
      headers: { 'x-request-id': 'my-trace.1' },
    });
    expect(validIdResponse.headers.get('x-request-id')).to.equal('my-trace.1');
    const invalidIdResponse = await send({
      method: 'GET',
      path: '/api/health/live',
      headers: { 'x-request-id': 'a b<script>' },
    });
    expect(invalidIdResponse.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
  });
});
