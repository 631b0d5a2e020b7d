import { isDeepStrictEqual } from 'node:util';
import { type RouteDefinition, routes } from '@countersign/contract';
import { waitUntil } from '@countersign/testing';
import { z } from 'zod';
import type { SeededRandom } from '../seeded-random.spec.support.js';
import { toJsonString, createOddJson, createOddObject } from './odd-json.spec.support.js';
import { createOddName, createOddText, createOddTime } from './odd-texts.spec.support.js';
import { NON_JSON_RESULTS, THROWN_VALUES } from './odd-work.spec.support.js';
import { clip, type OddHost, type AnyJson, type HttpResponse } from './odd-host.spec.support.js';
import { createOddDecision, createOddModel } from './odd-xml.spec.support.js';
import { WORKFLOWS_BY_ID, REPEATING_WORKFLOW_ID, UNSERVED_WORKFLOW_ID } from './workflows.spec.support.js';
import { parseNormalizedJson } from './normalized-json.spec.support.js';

/** Sends an odd value to the server and compares the effect with it. @throws {Error} if the two differ */
type Command = (oddHost: OddHost, random: SeededRandom, number: number) => Promise<void>;

const WORKFLOWS = [...WORKFLOWS_BY_ID.keys()];

/** Every command that brings in values from outside, by weight. */
const COMMANDS: readonly (readonly [weight: number, name: string, Command])[] = [
  [30, 'start', start],
  [12, 'deploy', deploy],
  [4, 'deploy a decision', deployDecision],
  [10, 'decide', decide],
  [14, 'message', publishMessage],
  [8, 'job result', completeJob],
  [3, 'failed job', failJob],
  [6, 'response to a connector', callConnector],
  [6, 'agent', runAgent],
  [6, 'artifact', uploadArtifact],
  [8, 'recover', recover],
  [3, 'cancel', cancel],
  [2, 'evaluate conditions', evaluateConditions],
  [4, 'find', listWithFilters],
  [8, 'any route', callRandomRoute],
];

/** Runs a random command. @returns its name, and its fault if it has one */
export async function runCommand(
  oddHost: OddHost,
  random: SeededRandom,
  number: number,
): Promise<{ readonly name: string; readonly fault?: string }> {
  const [name, command] = random.weighted(
    COMMANDS.map(([weight, name, command]) => [weight, [name, command] as const]),
  );
  try {
    await command(oddHost, random, number);
    return { name };
  } catch (error) {
    return { name, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function start(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const workflowId = random.pick(WORKFLOWS);
  const value =
    workflowId.includes('timer') || random.chance(0.2) ? toJsonString(createOddTime(random)) : createOddJson(random);
  const key = random.chance(0.3) ? createOddName(random) : undefined;
  const inputs = random.chance(0.1) ? createOddObject(random) : `{"value":${value}}`;
  const runId = await oddHost.start(workflowId, inputs, key === undefined ? '' : `,"businessKey":${toJsonString(key)}`);
  if (runId === undefined) return;
  if (workflowId === UNSERVED_WORKFLOW_ID) {
    await cancelRun(oddHost, runId);
    return;
  }
  const run = await oddHost.waitUntilSettled(runId);
  expectSame('the business key', key ?? null, run.businessKey);
  expectSame('the inputs', parseNormalizedJson(inputs), run.inputs);
  expectContains('the variables', parseNormalizedJson(inputs), run.variables);
  if (run.outcome === null && !run.recoverable) await expectSubject(oddHost, run, parseNormalizedJson(inputs));
  await oddHost.readEverything(runId, { pack: random.chance(0.1) });
  if (workflowId === REPEATING_WORKFLOW_ID || random.chance(0.5)) await cancelRun(oddHost, runId);
}

/** Checks the subject that an approver of the run sees. */
async function expectSubject(oddHost: OddHost, run: AnyJson, variables: unknown): Promise<void> {
  const wait = run.waitingFor.find(({ kind }: AnyJson) => kind === 'approval');
  if (wait === undefined) return;
  const { json } = await oddHost.get(`/api/approvals/${wait.approvalId}`);
  // With mapped inputs, the subject contains only those.
  if (json.subject.inputs.a === undefined) expectContains('the subject', variables, json.subject.inputs);
}

async function deploy(oddHost: OddHost, random: SeededRandom, number: number): Promise<void> {
  const body = Buffer.from(createOddModel(`odd-${number}`, random));
  const reply = await oddHost.send({
    method: 'POST',
    path: '/api/workflows',
    role: 'admin',
    headers: { 'content-type': 'application/xml' },
    body,
  });
  if (reply.status >= 300) return;
  const { workflowId } = reply.json;
  const { json } = await oddHost.get(`/api/workflows/${encodeURIComponent(workflowId)}`);
  // One byte order mark belongs to the encoding; a second one would be part of the text.
  expectSame('the BPMN model', String(body).replace(/^\uFEFF/, ''), json.bpmnXml);
  const runId = await oddHost.start(workflowId, `{"value":${createOddJson(random)}}`);
  if (runId !== undefined) {
    await oddHost.waitUntilSettled(runId);
    await oddHost.readEverything(runId, { pack: random.chance(0.1) });
    await cancelRun(oddHost, runId);
  }
  // Replaces the BPMN model, because its start timers would fire forever.
  const plainModel = (WORKFLOWS_BY_ID.get('place-expression-1') ?? '').replace(
    'id="place-expression-1"',
    () => `id="${escapeAttribute(workflowId)}"`,
  );
  const redeployReply = await oddHost.send({
    method: 'POST',
    path: '/api/workflows',
    role: 'admin',
    headers: { 'content-type': 'application/xml' },
    body: plainModel,
  });
  if (redeployReply.status >= 300)
    throw new Error(`The workflow ${clip(workflowId)} can't be deployed again: ${clip(String(redeployReply.bytes))}`);
}

async function deployDecision(oddHost: OddHost, random: SeededRandom, number: number): Promise<void> {
  const id = `odd-decision-${number}`;
  const body = Buffer.from(createOddDecision(id, random));
  const headers = { 'content-type': 'application/xml' };
  const reply = await oddHost.send({ method: 'POST', path: '/api/decisions', role: 'admin', headers, body });
  if (reply.status >= 300) return;
  const { json } = await oddHost.get(`/api/decisions/${id}`);
  expectSame('the decision file', String(body), json.dmnXml);
  const runId = await oddHost.start('place-called-decision', `{"value":${toJsonString(id)}}`);
  if (runId === undefined) throw new Error('A run with a plain text was refused.');
  await oddHost.waitUntilSettled(runId);
  await oddHost.readEverything(runId);
}

async function decide(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const value = createOddJson(random);
  const runId = await oddHost.start('asks', `{"value":${value}}`);
  if (runId === undefined) return;
  const run = await oddHost.waitUntilSettled(runId);
  const approvalId = run.waitingFor[0]?.approvalId;
  const comment = createOddText(random);
  const decision = random.pick(['approve', 'approve', 'reject', 'request_changes']);
  const extraFields = random.chance(0.2) ? `,${createOddObject(random).slice(1, -1)}`.replace(/,$/, '') : '';
  const body = `{"decision":"${decision}","comment":${toJsonString(comment)}${extraFields}}`;
  const reply = await oddHost.post(`/api/approvals/${approvalId}/decision`, body, 'approver');
  if (reply.status >= 300) return;
  const { json } = await oddHost.get(`/api/approvals/${approvalId}`);
  expectSame('the comment', comment, json.votes[0]?.comment);
  await oddHost.waitUntilSettled(runId);
  await oddHost.readEverything(runId, { pack: random.chance(0.1) });
}

async function publishMessage(oddHost: OddHost, random: SeededRandom, number: number): Promise<void> {
  const payload = random.chance(0.9) ? createOddObject(random) : createOddJson(random);
  if (random.chance(0.3)) {
    // A message without a subscription, or not a message at all.
    const body = random.chance(0.5)
      ? `{"messageName":${toJsonString(createOddName(random))},"correlationKey":${toJsonString(createOddName(random))},"payload":${payload}}`
      : createOddJson(random);
    await oddHost.deliver(
      random.chance(0.1) ? Buffer.concat([Buffer.from(body), Buffer.from([0xff])]) : body,
      `odd-${number}`,
    );
    return;
  }
  const key = random.chance(0.5) ? `key-${number}` : `${number}${createOddName(random)}`;
  const runId = await oddHost.start('listens', `{"key":${toJsonString(key)}}`);
  if (runId === undefined) return;
  const waitingRun = await oddHost.waitUntilSettled(runId);
  if (waitingRun.recoverable) {
    await oddHost.readEverything(runId);
    return;
  }
  const isMatching = random.chance(0.8);
  const correlationKey = isMatching ? key : `${key} `;
  const reply = await oddHost.deliver(
    `{"messageName":"odd","correlationKey":${toJsonString(correlationKey)},"payload":${payload}}`,
    random.chance(0.8)
      ? `odd-${number}`
      : `${number}${Buffer.from(createOddText(random)).toString('base64url')}`.slice(0, 200),
  );
  if (!isMatching) {
    const run = await oddHost.waitUntilSettled(runId);
    if (run.waitingFor[0]?.kind !== 'event')
      throw new Error(`The message for ${toJsonString(correlationKey)} has reached ${JSON.stringify(run)}`);
  } else if (reply.status < 300) {
    const run = await waitUntil(
      `run ${runId} receives its message for ${clip(toJsonString(correlationKey))} (response: ${String(reply.bytes)})`,
      async () => {
        const { json } = await oddHost.get(`/api/runs/${runId}`);
        return (json.recoverable || json.waitingFor[0]?.kind === 'approval') && json;
      },
    );
    if (!run.recoverable) {
      expectContains('the variables', parseNormalizedJson(payload), run.variables);
      await expectSubject(oddHost, run, parseNormalizedJson(payload));
    }
  }
  await oddHost.readEverything(runId, { pack: random.chance(0.1) });
  await cancelRun(oddHost, runId);
}

async function completeJob(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const text = createOddJson(random);
  const isJson = random.chance(0.6);
  const [kindOfValue, createNonJson] = random.pick(NON_JSON_RESULTS);
  const createResult = isJson ? () => JSON.parse(text) as unknown : createNonJson;
  const isWhole = random.chance(0.1);
  const work = oddHost.work.add(() => (isWhole ? createResult() : { result: createResult() }));
  const runId = await oddHost.start('works', `{"work":"${work}","retries":1}`);
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  const run = await oddHost.waitUntilSettled(runId);
  if (!run.recoverable && !isJson)
    throw new Error(`${kindOfValue} was accepted as ${clip(JSON.stringify(run.variables))}`);
  // The handler returned the double that was parsed from the text.
  if (!run.recoverable && !isWhole)
    expectSame('the result', parseNormalizedJson(JSON.stringify(JSON.parse(text))), run.variables.result);
  if (run.recoverable && isJson && isPlainJson(text) && !isWhole)
    throw new Error(`The result ${clip(text)} was not accepted: ${JSON.stringify(run.error)}`);
  await oddHost.readEverything(runId, { pack: random.chance(0.1) });
  await cancelRun(oddHost, runId);
}

/** Returns whether every JSON reader accepts the text: short strings and exact numbers. */
function isPlainJson(text: string): boolean {
  return /^(?:"[ -~]{0,100}"|true|false|null|-?\d{1,15})$/.test(text) && !text.includes('\\');
}

async function failJob(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const thrownValue = random.pick(THROWN_VALUES)(createOddText(random));
  const work = oddHost.work.add(() => {
    throw thrownValue;
  });
  const runId = await oddHost.start('works', `{"work":"${work}","retries":1}`);
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  const run = await oddHost.waitUntilSettled(runId);
  expectSame('the number of incidents', parseNormalizedJson('1'), run.incidents);
  await oddHost.readEverything(runId, { pack: random.chance(0.1) });
}

async function callConnector(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const text = createOddJson(random);
  const type = random.pick([
    'application/json',
    'application/problem+json',
    'text/plain',
    'application/xml',
    'odd',
    'application/json; charset=utf-16',
  ]);
  const status = random.pick([200, 201, 204, 299, 404]);
  const url = oddHost.addServicePath((response) =>
    response.writeHead(status, { 'content-type': type, 'x-odd': 'Å' }).end(status === 204 ? undefined : text),
  );
  const runId = await oddHost.start('calls', `{"url":${toJsonString(url)}}`);
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  const run = await oddHost.waitUntilSettled(runId);
  const result = run.variables.result;
  if (!run.recoverable && status !== 204) {
    if (result.bodyType === 'json') expectSame('the body', parseNormalizedJson(text), result.body);
    else
      expectSame('the body', result.bodyType === 'binary' ? Buffer.from(text).toString('base64') : text, result.body);
  }
  await oddHost.readEverything(runId, { pack: random.chance(0.1) });
  await cancelRun(oddHost, runId);
}

/** Checks the result of a tool, the answer of a user, and the output of the agent. */
async function runAgent(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const isJson = random.chance(0.8);
  const text = createOddJson(random);
  const [kindOfValue, createNonJson] = random.pick(NON_JSON_RESULTS);
  const work = oddHost.work.add(isJson ? () => JSON.parse(text) as unknown : createNonJson);
  const runId = await oddHost.start('agent', `{"work":"${work}"}`);
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  const askingRun = await oddHost.waitUntilSettled(runId);
  const wait = askingRun.waitingFor.find(({ kind }: AnyJson) => kind === 'question');
  if (wait === undefined) {
    if (!askingRun.recoverable) throw new Error(`The agent does not ask: ${clip(JSON.stringify(askingRun))}`);
  } else {
    const answer = random.chance(0.5) ? toJsonString(createOddText(random)) : createOddJson(random);
    const reply = await oddHost.post(
      `/api/runs/${runId}/conversation/${wait.questionId}/answer`,
      `{"answer":${answer}}`,
      'approver',
    );
    if (reply.status < 300) {
      const { json } = await oddHost.get(`/api/questions/${wait.questionId}`);
      expectSame('the answer', parseNormalizedJson(answer), json.answer);
      const run = await oddHost.waitUntilSettled(runId);
      if (!run.recoverable && !isJson)
        throw new Error(`${kindOfValue} was accepted as ${clip(JSON.stringify(run.variables))}`);
      if (!run.recoverable)
        expectSame('the output', parseNormalizedJson(JSON.stringify(JSON.parse(text))), run.variables.result);
    }
  }
  await oddHost.get(`/api/runs/${runId}/conversation`);
  await oddHost.readEverything(runId, { pack: random.chance(0.1) });
  await cancelRun(oddHost, runId);
}

async function uploadArtifact(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const runId = await oddHost.start('keeps', '{}');
  const name = createOddName(random);
  const path = `/api/runs/${runId}/artifacts/${encodeSegment(name)}`;
  const body = random.chance(0.5) ? Buffer.from(createOddText(random)) : Buffer.from(createOddText(random), 'utf16le');
  const type = random.pick([
    'text/plain',
    'application/octet-stream',
    'text/html',
    'a',
    'a/b; c="d"',
    'Text/Plain;Charset="UTF-8"',
    `text/${'x'.repeat(300)}`,
    'application/json',
  ]);
  const reply = await oddHost.send({ method: 'POST', path, role: 'operator', headers: { 'content-type': type }, body });
  const isStored = reply.status < 300;
  if (isStored) {
    expectSame('the name', name.toWellFormed(), reply.json.name);
    expectSame('the content type', type, reply.json.contentType);
    const artifact = await oddHost.get(path);
    if (!artifact.bytes.equals(body)) throw new Error(`The artifact ${clip(name)} has other bytes.`);
    const { json } = await oddHost.get(`/api/runs/${runId}/artifacts`);
    expectSame('the name in the list', name.toWellFormed(), json.items[0]?.name);
  } else if (reply.json.code === 'run_not_found')
    throw new Error(`An odd name is reported as an unknown run: ${clip(name)}`);
  const range = random.pick([
    'bytes=0-',
    'bytes=-1',
    'bytes=-999999999999999999999',
    'bytes=5-1',
    'bytes=0-0,1-1',
    'bytes=a-b',
    'lines=1-2',
    'bytes=',
    `bytes=${'9'.repeat(400)}-`,
  ]);
  await oddHost.send({
    method: 'GET',
    path: `${path}?version=${random.pick(['1', '0', '-1', '1e3', '9'.repeat(30), ''])}`,
    role: 'viewer',
    headers: { range },
  });
  if (runId !== undefined) await oddHost.readEverything(runId, { pack: random.chance(0.2) });
}

async function recover(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const runId = await oddHost.start('breaks', '{"value":null}');
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  await oddHost.waitUntilSettled(runId);
  const variables = random.chance(0.8) ? `{"value":${createOddJson(random)}}` : createOddObject(random);
  const comment = random.chance(0.5) ? createOddText(random) : undefined;
  const commentField = comment === undefined ? '' : `,"comment":${toJsonString(comment)}`;
  const stepsField = random.chance(0.1) ? `,"steps":${createOddJson(random)}` : '';
  const reply = await oddHost.post(
    `/api/runs/${runId}/recover${random.chance(0.2) ? '?dryRun=true' : ''}`,
    `{"variables":${variables}${commentField}${stepsField}}`,
  );
  const run = await oddHost.waitUntilSettled(runId);
  if (reply.status < 300 && reply.json.dryRun === undefined) {
    expectContains('the variables', parseNormalizedJson(variables), run.variables);
    const recoveryEvent = await oddHost.findEventData(runId, 'run.recovered');
    expectSame('the comment', comment ?? null, recoveryEvent.comment);
    expectSame('the variables of the recovery', parseNormalizedJson(variables), recoveryEvent.variables);
  }
  await oddHost.readEverything(runId, { pack: random.chance(0.1) });
  await cancelRun(oddHost, runId);
}

async function cancel(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const runId = await oddHost.start('keeps', `{"value":${createOddJson(random)}}`);
  if (runId === undefined) return;
  const reason = createOddText(random);
  const reply = await oddHost.post(`/api/runs/${runId}/cancel`, `{"reason":${toJsonString(reason)}}`);
  if (reply.status < 300)
    expectSame('the reason', reason, (await oddHost.findEventData(runId, 'run.cancel_requested')).reason);
  await oddHost.readEverything(runId, { pack: random.chance(0.1) });
}

async function evaluateConditions(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const variables = random.chance(0.7) ? `{"value":${createOddJson(random)}}` : createOddObject(random);
  const reply = await oddHost.post('/api/conditions/evaluate', `{"variables":${variables}}`);
  if (reply.status !== 200) return;
  for (const { runId } of reply.json.runs) {
    const run = await oddHost.waitUntilSettled(runId);
    expectSame('the inputs', parseNormalizedJson(variables), run.inputs);
    await oddHost.readEverything(runId);
  }
}

const LISTS: Readonly<Record<string, readonly string[]>> = {
  '/api/runs': [
    'q',
    'businessKey',
    'workflowId',
    'startedBy',
    'startedAfter',
    'startedBefore',
    'cursor',
    'limit',
    'workflowVersion',
    'parentRunId',
  ],
  '/api/runs/count': ['q', 'businessKey', 'startedAfter'],
  '/api/approvals': ['q', 'runId', 'workflowId', 'cursor', 'status'],
  '/api/questions': ['q', 'runId', 'cursor'],
  '/api/workflows': ['cursor', 'limit'],
  '/api/decisions': ['cursor'],
  '/api/audit-events': ['runId', 'actor', 'action', 'after', 'cursor'],
  '/api/inbound-events': ['messageName', 'status', 'cursor'],
  '/api/events': ['after'],
};

async function listWithFilters(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const path = random.pick(Object.keys(LISTS));
  const parameters = LISTS[path] ?? [];
  const query = Array.from({ length: 1 + random.int(2) }, () => {
    const value = random.chance(0.3) ? createOddTime(random) : createOddText(random);
    return `${random.pick(parameters)}=${encodeSegment(value)}`;
  });
  await oddHost.get(`${path}?${query.join('&')}`);
  await oddHost.get(
    `${random.pick(['/api/runs', '/api/workflows', '/api/approvals', '/api/decisions'])}/${encodeSegment(createOddText(random))}`,
  );
}

/** Operations that would affect the data of other commands. */
const EXCLUDED_OPERATIONS: readonly string[] = ['erasePersonalData', 'erasePerson'];
const ROUTES: readonly RouteDefinition[] = Object.values(routes).filter(
  ({ operationId }) => !EXCLUDED_OPERATIONS.includes(operationId),
);

/** Calls any route of the API, with odd values for all its inputs. */
async function callRandomRoute(oddHost: OddHost, random: SeededRandom): Promise<void> {
  const route = random.pick(ROUTES);
  const runId = (await oddHost.start('keeps', '{}')) ?? '';
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'runId' && random.chance(0.7) ? runId : encodeSegment(random.chance(0.3) ? runId : createOddName(random)),
  );
  const query = (route.dryRun === undefined ? [] : ['dryRun=true']).concat(
    pickSome(random, Object.keys(route.query?.shape ?? {}), 0.3).map(
      (name) => `${name}=${encodeSegment(createOddText(random))}`,
    ),
  );
  const [type] = [route.bodyContentType ?? 'application/json'].flat();
  await oddHost.send({
    method: route.method.toUpperCase(),
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    role: 'admin',
    ...(route.body === undefined
      ? {}
      : { headers: { 'content-type': type ?? '' }, body: buildBody(route.body, random) }),
  });
  await cancelRun(oddHost, runId);
}

/** Returns a body with the members of the route and odd values, or any JSON. */
function buildBody(schema: RouteDefinition['body'], random: SeededRandom): string {
  if (!(schema instanceof z.ZodObject) || random.chance(0.1)) return createOddJson(random);
  const members = pickSome(random, Object.keys(schema.shape), 0.8).map(
    (name) => `${toJsonString(name)}:${createOddJson(random, 1)}`,
  );
  return `{${members.join(',')}}`;
}

function pickSome<T>(random: SeededRandom, list: readonly T[], probability: number): readonly T[] {
  return list.filter(() => random.chance(probability));
}

/** Cancels a run, so that runs do not accumulate. */
async function cancelRun(oddHost: OddHost, runId: string): Promise<HttpResponse> {
  return oddHost.post(`/api/runs/${runId}/cancel`, '{"reason":"It was checked."}');
}

/** Returns the text as percent-encoded UTF-8. A lone surrogate is replaced, because UTF-8 cannot encode it. */
function encodeSegment(text: string): string {
  return [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function expectSame(label: string, sent: unknown, found: unknown): void {
  if (!isDeepStrictEqual(sent, found))
    throw new Error(
      `${label}: ${clip(JSON.stringify(sent))}\nhas become ${clip(JSON.stringify(found) ?? 'undefined')}`,
    );
}

function expectContains(label: string, sent: unknown, found: AnyJson): void {
  for (const [key, value] of Object.entries(sent ?? {})) expectSame(`${label}, "${clip(key)}"`, value, found?.[key]);
}
