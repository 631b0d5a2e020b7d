import { isDeepStrictEqual } from 'node:util';
import { type RouteDefinition, routes } from '@countersign/contract';
import { until } from '@countersign/testing';
import { z } from 'zod';
import type { SeededRandom } from '../seeded-random.spec.support.js';
import { jsonText, oddJson, oddObject } from './odd-json.spec.support.js';
import { oddName, oddText, oddTime } from './odd-texts.spec.support.js';
import { NO_JSON, THROWN } from './odd-work.spec.support.js';
import { clipped, type OddWorld, type Plain, type Reply } from './odd-world.spec.support.js';
import { oddDecision, oddModel } from './odd-xml.spec.support.js';
import { PLACES, REPEATING, UNSERVED } from './places.spec.support.js';
import { plainJson } from './plain-json.spec.support.js';

/** Sends an odd value to the server and compares the effect with it. @throws {Error} the two differ */
type Command = (world: OddWorld, random: SeededRandom, number: number) => Promise<void>;

const WORKFLOWS = [...PLACES.keys()];

/** Every command that brings in values from outside, by weight. */
const COMMANDS: readonly (readonly [weight: number, name: string, Command])[] = [
  [30, 'start', start],
  [12, 'deploy', deploy],
  [4, 'deploy a decision', deployDecision],
  [10, 'decide', decide],
  [14, 'message', message],
  [8, 'job result', jobResult],
  [3, 'failed job', failJob],
  [6, 'response to a connector', connectorResponse],
  [6, 'agent', agent],
  [6, 'artifact', artifact],
  [8, 'recover', recover],
  [3, 'cancel', cancel],
  [2, 'evaluate conditions', evaluateConditions],
  [4, 'find', find],
  [8, 'any route', anyRoute],
];

/** @returns the name of the drawn command, and its finding */
export async function runCommand(
  world: OddWorld,
  random: SeededRandom,
  number: number,
): Promise<{ readonly name: string; readonly fault?: string }> {
  const [name, command] = random.weighted(
    COMMANDS.map(([weight, name, command]) => [weight, [name, command] as const]),
  );
  try {
    await command(world, random, number);
    return { name };
  } catch (error) {
    return { name, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function start(world: OddWorld, random: SeededRandom): Promise<void> {
  const workflowId = random.pick(WORKFLOWS);
  const value = workflowId.includes('timer') || random.chance(0.2) ? jsonText(oddTime(random)) : oddJson(random);
  const key = random.chance(0.3) ? oddName(random) : undefined;
  const inputs = random.chance(0.1) ? oddObject(random) : `{"value":${value}}`;
  const runId = await world.start(workflowId, inputs, key === undefined ? '' : `,"businessKey":${jsonText(key)}`);
  if (runId === undefined) return;
  if (workflowId === UNSERVED) {
    await cancelled(world, runId);
    return;
  }
  const run = await world.settled(runId);
  same('the business key', key ?? null, run.businessKey);
  same('the inputs', plainJson(inputs), run.inputs);
  contains('the variables', plainJson(inputs), run.variables);
  if (run.outcome === null && !run.recoverable) await expectSubject(world, run, plainJson(inputs));
  await world.read(runId, { pack: random.chance(0.1) });
  if (workflowId === REPEATING || random.chance(0.5)) await cancelled(world, runId);
}

/** Checks the subject that an approver of the run sees. */
async function expectSubject(world: OddWorld, run: Plain, variables: unknown): Promise<void> {
  const wait = run.waitingFor.find(({ kind }: Plain) => kind === 'approval');
  if (wait === undefined) return;
  const { json } = await world.get(`/api/approvals/${wait.approvalId}`);
  // With mapped inputs, the subject contains only those.
  if (json.subject.inputs.a === undefined) contains('the subject', variables, json.subject.inputs);
}

async function deploy(world: OddWorld, random: SeededRandom, number: number): Promise<void> {
  const body = Buffer.from(oddModel(`odd-${number}`, random));
  const reply = await world.send({
    method: 'POST',
    path: '/api/workflows',
    role: 'admin',
    headers: { 'content-type': 'application/xml' },
    body,
  });
  if (reply.status >= 300) return;
  const { workflowId } = reply.json;
  const { json } = await world.get(`/api/workflows/${encodeURIComponent(workflowId)}`);
  // One byte order mark belongs to the encoding; a second one would be part of the text.
  same('the model', String(body).replace(/^\uFEFF/, ''), json.bpmnXml);
  const runId = await world.start(workflowId, `{"value":${oddJson(random)}}`);
  if (runId !== undefined) {
    await world.settled(runId);
    await world.read(runId, { pack: random.chance(0.1) });
    await cancelled(world, runId);
  }
  // Start timers would fire forever.
  const plain = (PLACES.get('place-expression-1') ?? '').replace(
    'id="place-expression-1"',
    () => `id="${attribute(workflowId)}"`,
  );
  const next = await world.send({
    method: 'POST',
    path: '/api/workflows',
    role: 'admin',
    headers: { 'content-type': 'application/xml' },
    body: plain,
  });
  if (next.status >= 300)
    throw new Error(`The workflow ${clipped(workflowId)} can't be deployed again: ${clipped(String(next.bytes))}`);
}

async function deployDecision(world: OddWorld, random: SeededRandom, number: number): Promise<void> {
  const id = `odd-decision-${number}`;
  const body = Buffer.from(oddDecision(id, random));
  const headers = { 'content-type': 'application/xml' };
  const reply = await world.send({ method: 'POST', path: '/api/decisions', role: 'admin', headers, body });
  if (reply.status >= 300) return;
  const { json } = await world.get(`/api/decisions/${id}`);
  same('the decision file', String(body), json.dmnXml);
  const runId = await world.start('place-called-decision', `{"value":${jsonText(id)}}`);
  if (runId === undefined) throw new Error('A run with a plain text was refused.');
  await world.settled(runId);
  await world.read(runId);
}

async function decide(world: OddWorld, random: SeededRandom): Promise<void> {
  const value = oddJson(random);
  const runId = await world.start('asks', `{"value":${value}}`);
  if (runId === undefined) return;
  const run = await world.settled(runId);
  const approvalId = run.waitingFor[0]?.approvalId;
  const comment = oddText(random);
  const decision = random.pick(['approve', 'approve', 'reject', 'request_changes']);
  const odd = random.chance(0.2) ? `,${oddObject(random).slice(1, -1)}`.replace(/,$/, '') : '';
  const body = `{"decision":"${decision}","comment":${jsonText(comment)}${odd}}`;
  const reply = await world.post(`/api/approvals/${approvalId}/decision`, body, 'approver');
  if (reply.status >= 300) return;
  const { json } = await world.get(`/api/approvals/${approvalId}`);
  same('the comment', comment, json.votes[0]?.comment);
  await world.settled(runId);
  await world.read(runId, { pack: random.chance(0.1) });
}

async function message(world: OddWorld, random: SeededRandom, number: number): Promise<void> {
  const payload = random.chance(0.9) ? oddObject(random) : oddJson(random);
  if (random.chance(0.3)) {
    // A message without a subscription, or not a message at all.
    const body = random.chance(0.5)
      ? `{"messageName":${jsonText(oddName(random))},"correlationKey":${jsonText(oddName(random))},"payload":${payload}}`
      : oddJson(random);
    await world.deliver(
      random.chance(0.1) ? Buffer.concat([Buffer.from(body), Buffer.from([0xff])]) : body,
      `odd-${number}`,
    );
    return;
  }
  const key = random.chance(0.5) ? `key-${number}` : `${number}${oddName(random)}`;
  const runId = await world.start('listens', `{"key":${jsonText(key)}}`);
  if (runId === undefined) return;
  const listening = await world.settled(runId);
  if (listening.recoverable) {
    await world.read(runId);
    return;
  }
  const isForIt = random.chance(0.8);
  const sent = isForIt ? key : `${key} `;
  const reply = await world.deliver(
    `{"messageName":"odd","correlationKey":${jsonText(sent)},"payload":${payload}}`,
    random.chance(0.8)
      ? `odd-${number}`
      : `${number}${Buffer.from(oddText(random)).toString('base64url')}`.slice(0, 200),
  );
  if (!isForIt) {
    const run = await world.settled(runId);
    if (run.waitingFor[0]?.kind !== 'event')
      throw new Error(`The message for ${jsonText(sent)} has reached ${JSON.stringify(run)}`);
  } else if (reply.status < 300) {
    const run = await until(
      `run ${runId} gets its message for ${clipped(jsonText(sent))}, which was answered with ${String(reply.bytes)}`,
      async () => {
        const { json } = await world.get(`/api/runs/${runId}`);
        return (json.recoverable || json.waitingFor[0]?.kind === 'approval') && json;
      },
    );
    if (!run.recoverable) {
      contains('the variables', plainJson(payload), run.variables);
      await expectSubject(world, run, plainJson(payload));
    }
  }
  await world.read(runId, { pack: random.chance(0.1) });
  await cancelled(world, runId);
}

async function jobResult(world: OddWorld, random: SeededRandom): Promise<void> {
  const text = oddJson(random);
  const isJson = random.chance(0.6);
  const [what, noJson] = random.pick(NO_JSON);
  const odd = isJson ? () => JSON.parse(text) as unknown : noJson;
  const isWhole = random.chance(0.1);
  const work = world.work.add(() => (isWhole ? odd() : { result: odd() }));
  const runId = await world.start('works', `{"work":"${work}","retries":1}`);
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  const run = await world.settled(runId);
  if (!run.recoverable && !isJson) throw new Error(`${what} was accepted as ${clipped(JSON.stringify(run.variables))}`);
  // The handler returned the double that was parsed from the text.
  if (!run.recoverable && !isWhole)
    same('the result', plainJson(JSON.stringify(JSON.parse(text))), run.variables.result);
  if (run.recoverable && isJson && isPlain(text) && !isWhole)
    throw new Error(`The result ${clipped(text)} was not accepted: ${JSON.stringify(run.error)}`);
  await world.read(runId, { pack: random.chance(0.1) });
  await cancelled(world, runId);
}

/** Returns whether every JSON reader accepts the text: short strings and exact numbers. */
function isPlain(text: string): boolean {
  return /^(?:"[ -~]{0,100}"|true|false|null|-?\d{1,15})$/.test(text) && !text.includes('\\');
}

async function failJob(world: OddWorld, random: SeededRandom): Promise<void> {
  const thrown = random.pick(THROWN)(oddText(random));
  const work = world.work.add(() => {
    throw thrown;
  });
  const runId = await world.start('works', `{"work":"${work}","retries":1}`);
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  const run = await world.settled(runId);
  same('the number of incidents', plainJson('1'), run.incidents);
  await world.read(runId, { pack: random.chance(0.1) });
}

async function connectorResponse(world: OddWorld, random: SeededRandom): Promise<void> {
  const text = oddJson(random);
  const type = random.pick([
    'application/json',
    'application/problem+json',
    'text/plain',
    'application/xml',
    'odd',
    'application/json; charset=utf-16',
  ]);
  const status = random.pick([200, 201, 204, 299, 404]);
  const url = world.respond((response) =>
    response.writeHead(status, { 'content-type': type, 'x-odd': 'Å' }).end(status === 204 ? undefined : text),
  );
  const runId = await world.start('calls', `{"url":${jsonText(url)}}`);
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  const run = await world.settled(runId);
  const result = run.variables.result;
  if (!run.recoverable && status !== 204) {
    if (result.bodyType === 'json') same('the body', plainJson(text), result.body);
    else same('the body', result.bodyType === 'binary' ? Buffer.from(text).toString('base64') : text, result.body);
  }
  await world.read(runId, { pack: random.chance(0.1) });
  await cancelled(world, runId);
}

/** Checks the result of a tool, the answer of a user, and the output of the agent. */
async function agent(world: OddWorld, random: SeededRandom): Promise<void> {
  const isJson = random.chance(0.8);
  const text = oddJson(random);
  const [what, noJson] = random.pick(NO_JSON);
  const work = world.work.add(isJson ? () => JSON.parse(text) as unknown : noJson);
  const runId = await world.start('agent', `{"work":"${work}"}`);
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  const asking = await world.settled(runId);
  const wait = asking.waitingFor.find(({ kind }: Plain) => kind === 'question');
  if (wait === undefined) {
    if (!asking.recoverable) throw new Error(`The agent does not ask: ${clipped(JSON.stringify(asking))}`);
  } else {
    const answer = random.chance(0.5) ? jsonText(oddText(random)) : oddJson(random);
    const reply = await world.post(
      `/api/runs/${runId}/conversation/${wait.questionId}/answer`,
      `{"answer":${answer}}`,
      'approver',
    );
    if (reply.status < 300) {
      const { json } = await world.get(`/api/questions/${wait.questionId}`);
      same('the answer', plainJson(answer), json.answer);
      const run = await world.settled(runId);
      if (!run.recoverable && !isJson)
        throw new Error(`${what} was accepted as ${clipped(JSON.stringify(run.variables))}`);
      if (!run.recoverable) same('the output', plainJson(JSON.stringify(JSON.parse(text))), run.variables.result);
    }
  }
  await world.get(`/api/runs/${runId}/conversation`);
  await world.read(runId, { pack: random.chance(0.1) });
  await cancelled(world, runId);
}

async function artifact(world: OddWorld, random: SeededRandom): Promise<void> {
  const runId = await world.start('keeps', '{}');
  const name = oddName(random);
  const path = `/api/runs/${runId}/artifacts/${segment(name)}`;
  const body = random.chance(0.5) ? Buffer.from(oddText(random)) : Buffer.from(oddText(random), 'utf16le');
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
  const reply = await world.send({ method: 'POST', path, role: 'operator', headers: { 'content-type': type }, body });
  const isTaken = reply.status < 300;
  if (isTaken) {
    same('the name', name.toWellFormed(), reply.json.name);
    same('the content type', type, reply.json.contentType);
    const found = await world.get(path);
    if (!found.bytes.equals(body)) throw new Error(`The artifact ${clipped(name)} has other bytes.`);
    const { json } = await world.get(`/api/runs/${runId}/artifacts`);
    same('the name in the list', name.toWellFormed(), json.items[0]?.name);
  } else if (reply.json.code === 'run_not_found')
    throw new Error(`An odd name is reported as an unknown run: ${clipped(name)}`);
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
  await world.send({
    method: 'GET',
    path: `${path}?version=${random.pick(['1', '0', '-1', '1e3', '9'.repeat(30), ''])}`,
    role: 'viewer',
    headers: { range },
  });
  if (runId !== undefined) await world.read(runId, { pack: random.chance(0.2) });
}

async function recover(world: OddWorld, random: SeededRandom): Promise<void> {
  const runId = await world.start('breaks', '{"value":null}');
  if (runId === undefined) throw new Error('A run with plain inputs was refused.');
  await world.settled(runId);
  const variables = random.chance(0.8) ? `{"value":${oddJson(random)}}` : oddObject(random);
  const comment = random.chance(0.5) ? oddText(random) : undefined;
  const said = comment === undefined ? '' : `,"comment":${jsonText(comment)}`;
  const odd = random.chance(0.1) ? `,"steps":${oddJson(random)}` : '';
  const reply = await world.post(
    `/api/runs/${runId}/recover${random.chance(0.2) ? '?dryRun=true' : ''}`,
    `{"variables":${variables}${said}${odd}}`,
  );
  const run = await world.settled(runId);
  if (reply.status < 300 && reply.json.dryRun === undefined) {
    contains('the variables', plainJson(variables), run.variables);
    const recovered = await world.event(runId, 'run.recovered');
    same('the comment', comment ?? null, recovered.comment);
    same('the variables of the recovery', plainJson(variables), recovered.variables);
  }
  await world.read(runId, { pack: random.chance(0.1) });
  await cancelled(world, runId);
}

async function cancel(world: OddWorld, random: SeededRandom): Promise<void> {
  const runId = await world.start('keeps', `{"value":${oddJson(random)}}`);
  if (runId === undefined) return;
  const reason = oddText(random);
  const reply = await world.post(`/api/runs/${runId}/cancel`, `{"reason":${jsonText(reason)}}`);
  if (reply.status < 300) same('the reason', reason, (await world.event(runId, 'run.cancel_requested')).reason);
  await world.read(runId, { pack: random.chance(0.1) });
}

async function evaluateConditions(world: OddWorld, random: SeededRandom): Promise<void> {
  const variables = random.chance(0.7) ? `{"value":${oddJson(random)}}` : oddObject(random);
  const reply = await world.post('/api/conditions/evaluate', `{"variables":${variables}}`);
  if (reply.status !== 200) return;
  for (const { runId } of reply.json.runs) {
    const run = await world.settled(runId);
    same('the inputs', plainJson(variables), run.inputs);
    await world.read(runId);
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

async function find(world: OddWorld, random: SeededRandom): Promise<void> {
  const path = random.pick(Object.keys(LISTS));
  const parameters = LISTS[path] ?? [];
  const query = Array.from({ length: 1 + random.int(2) }, () => {
    const value = random.chance(0.3) ? oddTime(random) : oddText(random);
    return `${random.pick(parameters)}=${segment(value)}`;
  });
  await world.get(`${path}?${query.join('&')}`);
  await world.get(
    `${random.pick(['/api/runs', '/api/workflows', '/api/approvals', '/api/decisions'])}/${segment(oddText(random))}`,
  );
}

/** Operations that would affect the data of other commands. */
const NOT_ALONE: readonly string[] = ['erasePersonalData', 'erasePerson'];
const ROUTES: readonly RouteDefinition[] = Object.values(routes).filter(
  ({ operationId }) => !NOT_ALONE.includes(operationId),
);

/** Calls any route of the API, with odd values for all its inputs. */
async function anyRoute(world: OddWorld, random: SeededRandom): Promise<void> {
  const route = random.pick(ROUTES);
  const runId = (await world.start('keeps', '{}')) ?? '';
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'runId' && random.chance(0.7) ? runId : segment(random.chance(0.3) ? runId : oddName(random)),
  );
  const query = (route.dryRun === undefined ? [] : ['dryRun=true']).concat(
    some(random, Object.keys(route.query?.shape ?? {}), 0.3).map((name) => `${name}=${segment(oddText(random))}`),
  );
  const [type] = [route.bodyContentType ?? 'application/json'].flat();
  await world.send({
    method: route.method.toUpperCase(),
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    role: 'admin',
    ...(route.body === undefined ? {} : { headers: { 'content-type': type ?? '' }, body: bodyFor(route.body, random) }),
  });
  await cancelled(world, runId);
}

/** Returns a body with the members of the route and odd values, or any JSON. */
function bodyFor(schema: RouteDefinition['body'], random: SeededRandom): string {
  if (!(schema instanceof z.ZodObject) || random.chance(0.1)) return oddJson(random);
  const members = some(random, Object.keys(schema.shape), 0.8).map((name) => `${jsonText(name)}:${oddJson(random, 1)}`);
  return `{${members.join(',')}}`;
}

function some<T>(random: SeededRandom, list: readonly T[], probability: number): readonly T[] {
  return list.filter(() => random.chance(probability));
}

/** Cancels a run, so that runs do not accumulate. */
async function cancelled(world: OddWorld, runId: string): Promise<Reply> {
  return world.post(`/api/runs/${runId}/cancel`, '{"reason":"It was checked."}');
}

/** Returns a path segment in UTF-8, in which half a surrogate pair is not a character. */
function segment(text: string): string {
  return [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function same(what: string, sent: unknown, found: unknown): void {
  if (!isDeepStrictEqual(sent, found))
    throw new Error(
      `${what}: ${clipped(JSON.stringify(sent))}\nhas become ${clipped(JSON.stringify(found) ?? 'undefined')}`,
    );
}

function contains(what: string, sent: unknown, found: Plain): void {
  for (const [key, value] of Object.entries(sent ?? {})) same(`${what}, "${clipped(key)}"`, value, found?.[key]);
}
