import type { RunFilter, RunRecord } from '@countersign/core/ports';
import type { RunOutcome, RunStatus } from '@countersign/model';
import fc from 'fast-check';
import { nextId, runRecord } from './storage-fixtures.js';

type WaitingFor = RunRecord['waitingFor'][number];
type WaitKind = WaitingFor['kind'];

const WAIT_KINDS: readonly WaitKind[] = ['approval', 'question', 'event', 'timer'];

/** The state of a run and its relation to the other runs. */
const drawnRun = fc.record({
  /** Distance back to the calling run in the list. If that position is empty, the run has no caller. */
  caller: fc.constantFrom(1, 1, 2, 3, 5, Infinity),
  /** Whether the caller still waits. An interrupted call activity does not, although its run may still be active. */
  awaited: fc.constantFrom(true, true, true, true, false),
  /** Number of calls whose runs have not started. */
  notBegun: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1),
  job: fc.constantFrom(false, false, false, true),
  waits: fc.oneof(
    { weight: 3, arbitrary: fc.constant<WaitKind[]>([]) },
    { weight: 1, arbitrary: fc.subarray([...WAIT_KINDS]) },
  ),
  incident: fc.constantFrom(true, true, true, false),
  cancelling: fc.constantFrom(...Array.from({ length: 9 }, () => false), true),
  outcome: fc.constantFrom(...Array.from({ length: 12 }, () => null), 'completed', 'failed', 'cancelled', 'rejected'),
  workflowId: fc.constantFrom('release', 'other'),
  startedBy: fc.constantFrom('ada', 'bob'),
  businessKey: fc.constantFrom(null, 'k1', 'k2'),
  riskLevel: fc.constantFrom('low', 'critical'),
  /** Times in ms from a small range, so that some are equal. */
  since: fc.array(fc.nat(5), { minLength: 20, maxLength: 20 }),
});
type DrawnRun = typeof drawnRun extends fc.Arbitrary<infer T> ? T : never;

export const forests = fc.array(drawnRun, { minLength: 1, maxLength: 25 });

/** Returns runs that call each other, in start order and all with the same start time. */
export function runsOf(drawn: readonly DrawnRun[], startedAt: number): RunRecord[] {
  const ids = drawn.map(() => nextId(startedAt));
  return drawn.map((run, index) => {
    const callees = drawn.flatMap(({ caller, awaited }, at) =>
      at - caller === index && awaited ? [ids[at] ?? ''] : [],
    );
    const common = { runId: ids[index] ?? '', parentRunId: ids[index - run.caller] ?? null, startedAt };
    return runRecord({
      ...common,
      ...(run.outcome === null ? living(run, callees) : ended(run.outcome)),
      ...aboutOf(run),
    });
  });
}

function aboutOf({ workflowId, startedBy, businessKey, riskLevel, since }: DrawnRun): Partial<RunRecord> {
  return { workflowId, startedBy, businessKey, riskLevel, updatedAt: Math.max(...since) };
}

function ended(outcome: RunOutcome): Partial<RunRecord> {
  return { outcome, status: outcome === 'completed' ? 'completed' : 'failed', completedAt: 1 };
}

/** Returns the fields of an active run, as `projectRun` of the interpreter computes them. */
function living(drawn: DrawnRun, callees: readonly string[]): Partial<RunRecord> {
  const { job, incident, cancelling } = drawn;
  const calls = [...callees, ...Array.from({ length: drawn.notBegun }, () => nextId())];
  const waitingFor = [
    ...drawn.waits.map((kind) => ({ kind })),
    ...calls.map((childRunId) => ({ kind: 'event' as const, childRunId })),
  ]
    .map((wait, index): WaitingFor => ({
      ...wait,
      stepId: nextId(),
      elementId: wait.kind,
      name: null,
      since: drawn.since[index] ?? 0,
    }))
    .sort((a, b) => a.since - b.since);
  return {
    waitingFor,
    cancelling,
    status: cancelling && !job ? (incident ? 'failed' : 'active') : statusOf(job, waitingFor, incident),
    pendingApprovals: drawn.waits.includes('approval') ? 1 : 0,
    pendingQuestions: drawn.waits.includes('question') ? 1 : 0,
    incidents: incident ? 1 : 0,
    error: incident ? { code: 'broken', message: drawn.since.join(' '), elementId: 'x' } : null,
  };
}

function statusOf(job: boolean, waitingFor: readonly WaitingFor[], incident: boolean): RunStatus {
  if (job) return 'active';
  if (waitingFor.length > 0) return 'blocked';
  return incident ? 'failed' : 'active';
}

/** Returns a run merged with its child runs, computed independently of the storage. */
export function shownOf(run: RunRecord, all: ReadonlyMap<string, RunRecord>): RunRecord {
  const ids = run.outcome === null ? run.waitingFor.flatMap(({ childRunId }) => childRunId ?? []) : [];
  if (ids.length === 0) return run;
  const called = ids
    .flatMap((id) => all.get(id) ?? [])
    .filter(({ outcome }) => outcome === null)
    .map((each) => shownOf(each, all));
  const statuses = called.map(({ status }) => status);
  /** Whether the child run lists its own waits. If so, its caller does not list the call. */
  const isListedBelow = ({ childRunId }: WaitingFor): boolean =>
    called.some(({ runId, waitingFor }) => runId === childRunId && waitingFor.length > 0);
  const isActive = run.status === 'active' || called.length < ids.length || statuses.includes('active');
  const isBlocked = run.waitingFor.some(({ childRunId }) => childRunId === undefined) || statuses.includes('blocked');
  const status = isActive ? 'active' : isBlocked ? 'blocked' : 'failed';
  return {
    ...run,
    status,
    waitingFor: [run, ...called]
      .flatMap(({ waitingFor }) => waitingFor.filter((wait) => !isListedBelow(wait)))
      .sort((a, b) => a.since - b.since),
    pendingApprovals: [run, ...called].reduce((sum, each) => sum + each.pendingApprovals, 0),
    pendingQuestions: [run, ...called].reduce((sum, each) => sum + each.pendingQuestions, 0),
    error: run.error ?? (status === 'failed' ? (called.find(({ error }) => error !== null)?.error ?? null) : null),
  };
}

/** Returns whether a displayed run matches a filter. */
export function fits(run: RunRecord, filter: RunFilter): boolean {
  const { waitingFor, stuckSince, startedAfter = 0, ...same } = filter;
  const isStuck =
    stuckSince === undefined || (run.status === 'active' && run.waitingFor.length === 0 && run.updatedAt < stuckSince);
  const waits = waitingFor === undefined || run.waitingFor.some(({ kind }) => kind === waitingFor);
  return (
    isStuck &&
    waits &&
    run.startedAt > startedAfter &&
    Object.entries(same).every(([name, value]) => run[name as keyof RunRecord] === value)
  );
}

/** Single filters that child runs affect. */
export const PLAIN_FILTERS: readonly RunFilter[] = [
  ...(['active', 'blocked', 'failed', 'completed'] as const).map((status) => ({ status })),
  ...WAIT_KINDS.map((waitingFor) => ({ waitingFor })),
  { stuckSince: 3 },
];

const filter = (...values: RunFilter[]): fc.Arbitrary<RunFilter> => fc.constantFrom({}, {}, ...values);

/** Combinations of these filters with each other and with other filters. */
export const filters: fc.Arbitrary<RunFilter> = fc
  .tuple(
    fc.constantFrom(...PLAIN_FILTERS),
    filter(...PLAIN_FILTERS),
    filter({ workflowId: 'other' }),
    filter({ startedBy: 'bob' }),
    filter({ businessKey: 'k1' }),
    filter({ riskLevel: 'critical' }),
    filter({ outcome: 'completed' }, { outcome: 'failed' }),
  )
  .map((all) => Object.assign({}, ...all) as RunFilter);
