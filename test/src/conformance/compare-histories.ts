import { canonicalJson, isoTime, type Json } from '@countersign/model';
import { OneToOneMap } from './one-to-one-map.js';
import { mapDigests, rechainAudit, rechainEvents, toDraft, toEntry } from './rechain.js';
import { pairIds } from './replacements.js';
import type { RunHistory } from './run-histories.js';

/**
 * Maximum difference of the distance of two times. Cases set their clocks by hand, but each read of a clock advances it
 * by a millisecond, and engines do not read it equally often.
 */
const MAX_DEVIATION_MS = 1_000;

/**
 * Compares the histories and audit chains that two engines recorded for the same commands, hash for hash. Only ids,
 * times, salts and the ids of traces are random, so the other chains get those of the expected ones at the same
 * positions. The product's own functions then chain them again, and each hash must be the one that the first engine has
 * stored. The chains that the other engine has stored are verified, too.
 *
 * Ids and times must correspond one to one. Times, also those in the data of events, must be in the same order, and at
 * nearly the same distance from the start of the first run.
 *
 * @returns one sentence for each difference; empty if all hashes are equal
 */
export function compareHistories(expected: readonly RunHistory[], others: readonly RunHistory[]): string[] {
  const ids = new OneToOneMap<string>('id');
  const pairs = pairRuns(expected, others, ids);
  const brokenChains = [
    ...expected.flatMap((run) => verifyStoredChains(run, 'expected')),
    ...others.flatMap((run) => verifyStoredChains(run, 'compared')),
  ];
  if (typeof pairs === 'string') return [pairs, ...brokenChains];
  const [[firstRun, otherFirstRun] = []] = pairs;
  const offsetMs = (otherFirstRun?.events[0]?.at ?? 0) - (firstRun?.events[0]?.at ?? 0);
  return [...brokenChains, ...pairs.flatMap(([one, other]) => compareRun(one, other, ids, offsetMs)), ...ids.conflicts];
}

/** Verifies that the stored chains of a run are those that the product computes from their events and records. */
function verifyStoredChains(run: RunHistory, kind: 'compared' | 'expected'): string[] {
  const name = `Run ${run.runId} of "${run.workflowId}" (${kind})`;
  const replaceNothing = { ids: new OneToOneMap<string>('id'), times: new OneToOneMap<number>('time') };
  const digests = new Map<string, string>();
  return [
    ...findBrokenLink('event', run.events, rechainEvents(run, run, { ...replaceNothing, digests })),
    ...findBrokenLink('audit record', run.audit, rechainAudit(run, run, { ...replaceNothing, digests })),
  ].map((problem) => `${name}: ${problem}`);
}

/** Compares all members of the stored links: also previous hashes, commitments, and the digests of people. */
function findBrokenLink<T extends Link>(kind: string, stored: readonly T[], computed: readonly T[]): string[] {
  const index = stored.findIndex((link, position) => {
    const counterpart = new Map<string, unknown>(Object.entries(computed[position] ?? {}));
    return Object.entries(link).some(([name, value]) => toText(value) !== toText(counterpart.get(name)));
  });
  if (index === -1) return [];
  const [link, counterpart] = [stored[index], computed[index]];
  return [
    `the stored ${kind} ${index + 1} is ${describeLink(link, counterpart)} instead of ${describeLink(counterpart, link)}.`,
  ];
}

function toText(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value as Json);
}

type RunPair = readonly [expected: RunHistory, other: RunHistory];

/** Pairs root runs of a workflow in the order of their start, and child runs by the call that started them. */
function pairRuns(
  expected: readonly RunHistory[],
  others: readonly RunHistory[],
  ids: OneToOneMap<string>,
): readonly RunPair[] | string {
  const pairs: RunPair[] = [];
  const addPair = (one: RunHistory, other: RunHistory): void => {
    pairs.push([one, other]);
    ids.add(other.runId, one.runId);
    pairIds(one.events.map(toDraft), other.events.map(toDraft), ids);
    pairIds(one.audit.map(toEntry), other.audit.map(toEntry), ids);
  };
  const workflowIds = new Set([...expected, ...others].map(({ workflowId }) => workflowId));
  const listRoots = (runs: readonly RunHistory[], workflowId: string): RunHistory[] =>
    runs.filter((run) => run.parentRunId === null && run.workflowId === workflowId);
  for (const workflowId of workflowIds) {
    const roots = listRoots(expected, workflowId);
    const otherRoots = listRoots(others, workflowId);
    if (roots.length !== otherRoots.length)
      return `"${workflowId}" has ${otherRoots.length} instead of ${roots.length} root runs.`;
    for (const [index, root] of roots.entries()) addPair(root, otherRoots[index] ?? root);
  }
  // The events of a parent run contain the ids of its child runs, so that each pass pairs one more level.
  for (let paired = 0; paired !== pairs.length;) {
    paired = pairs.length;
    for (const other of others) {
      if (pairs.some(([, { runId }]) => runId === other.runId)) continue;
      const one = expected.find(({ runId }) => runId === ids.get(other.runId));
      if (one !== undefined) addPair(one, other);
    }
  }
  return pairs.length === expected.length && pairs.length === others.length
    ? pairs
    : `Of ${others.length} runs instead of ${expected.length}, ${pairs.length} correspond to expected ones.`;
}

/** @param offsetMs difference of the clocks of the two engines */
function compareRun(one: RunHistory, other: RunHistory, ids: OneToOneMap<string>, offsetMs: number): string[] {
  const times = new OneToOneMap<number>('time');
  for (const [index, { at }] of one.events.entries()) times.add(other.events[index]?.at ?? at, at);
  for (const [index, { at }] of one.audit.entries()) times.add(other.audit[index]?.at ?? at, at);
  const { digests, problems: digestProblems } = mapDigests(other, { ids, times });
  const replacements = { ids, times, digests };
  const differences = [
    ...digestProblems,
    ...compareChains('event', one.events, rechainEvents(one, other, replacements)),
    ...compareChains('audit record', one.audit, rechainAudit(one, other, replacements)),
  ];
  const problems =
    differences.length > 0
      ? differences
      : [...times.conflicts, ...findDisorder(times), ...findDeviation(one, times, offsetMs)];
  return problems.map((each) => `Run of "${one.workflowId}": ${each}`);
}

interface Link {
  readonly hash: string;
}

/** Returns the first difference of a chain, because all later hashes differ, too. */
function compareChains<T extends Link>(kind: string, expected: readonly T[], found: readonly T[]): string[] {
  const index = expected.findIndex(({ hash }, position) => hash !== found[position]?.hash);
  if (index !== -1) {
    const [one, other] = [expected[index], found[index]];
    return [`${kind} ${index + 1} is ${describeLink(other, one)} instead of ${describeLink(one, other)}.`];
  }
  return found.length === expected.length ? [] : [`there are ${found.length} instead of ${expected.length} ${kind}s.`];
}

/** Describes the members of a link that differ from those of another one. */
function describeLink(link: Link | undefined, other: Link | undefined): string {
  if (link === undefined) return 'missing';
  const others = new Map<string, unknown>(Object.entries(other ?? {}));
  const differing = Object.entries(link).filter(
    ([name, value]) =>
      ['type', 'action'].includes(name) ||
      (others.has(name) && JSON.stringify(value) !== JSON.stringify(others.get(name))),
  );
  return JSON.stringify(Object.fromEntries(differing));
}

/** Times of one history must be in the order of their counterparts. */
function findDisorder(times: OneToOneMap<number>): string[] {
  const sorted = [...times.entries()].sort(([a], [b]) => a - b).map(([, counterpart]) => counterpart);
  return sorted.every((time, index) => index === 0 || time > (sorted[index - 1] ?? 0))
    ? []
    : ['the times are not in the same order.'];
}

/** Returns the first time of a run whose distance from the start of the first run differs from its counterpart's. */
function findDeviation(expected: RunHistory, times: OneToOneMap<number>, offsetMs: number): string[] {
  const deviations = [...times.entries()]
    .map(([time, counterpart]) => ({ counterpart, deviationMs: time - counterpart - offsetMs }))
    .filter(({ deviationMs }) => Math.abs(deviationMs) > MAX_DEVIATION_MS)
    .sort((a, b) => a.counterpart - b.counterpart);
  const [first] = deviations;
  if (first === undefined) return [];
  const { counterpart, deviationMs } = first;
  return [
    `the time ${isoTime(counterpart)} (${describePosition(expected, counterpart)}) is ${Math.abs(deviationMs)} ms ` +
      `${deviationMs > 0 ? 'later' : 'earlier'}, as counted from the start of the first run.`,
  ];
}

/** Describes where a history has a time. */
function describePosition({ events }: RunHistory, time: number): string {
  const event = events.find(({ at, data }) => at === time || JSON.stringify(data).includes(isoTime(time)));
  return event === undefined ? 'not in an event' : `event ${event.seq}, ${event.type}`;
}
