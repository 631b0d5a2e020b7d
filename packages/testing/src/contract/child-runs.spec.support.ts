import type { RunFilter, RunRecord } from '@countersign/core/ports';
import type { RunOutcome, RunStatus } from '@countersign/model';
import fc from 'fast-check';
import { nextId, createRunRecord } from './storage-fixtures.js';

type WaitingFor = RunRecord['waitingFor'][number];
type WaitKind = WaitingFor['kind'];

const WAIT_KINDS: readonly WaitKind[] = ['approval', 'question', 'event', 'timer'];

/** The state of a run and its relation to the other runs. */
const runArbitrary = fc.record({
  /** Distance back to the calling run in the list. If that position is empty, the run has no caller. */
  caller: fc.constantFrom(1, 1, 2, 3, 5, Infinity),
  /**
   * Whether the caller still waits for the run. An interrupted call activity no longer waits, although its child run
   * may still be active.
   */
  awaited: fc.constantFrom(true, true, true, true, false),
  /** Number of calls whose runs have not started. */
  unstartedCallCount: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1),
  hasJob: fc.constantFrom(false, false, false, true),
  waits: fc.oneof(
    { weight: 3, arbitrary: fc.constant<WaitKind[]>([]) },
    { weight: 1, arbitrary: fc.subarray([...WAIT_KINDS]) },
  ),
  hasIncident: fc.constantFrom(true, true, true, false),
  cancelling: fc.constantFrom(...Array.from({ length: 9 }, () => false), true),
  outcome: fc.constantFrom(...Array.from({ length: 12 }, () => null), 'completed', 'failed', 'cancelled', 'rejected'),
  workflowId: fc.constantFrom('release', 'other'),
  startedBy: fc.constantFrom('ada', 'bob'),
  businessKey: fc.constantFrom(null, 'k1', 'k2'),
  riskLevel: fc.constantFrom('low', 'critical'),
  /** Times in ms from a small range, so that some are equal. */
  since: fc.array(fc.nat(5), { minLength: 20, maxLength: 20 }),
});
type GeneratedRun = typeof runArbitrary extends fc.Arbitrary<infer T> ? T : never;

export const runForests = fc.array(runArbitrary, { minLength: 1, maxLength: 25 });

/** Creates runs that call each other. All have the same start time, and their ids increase in the order of the list. */
export function createRuns(generatedRuns: readonly GeneratedRun[], startedAt: number): RunRecord[] {
  const ids = generatedRuns.map(() => nextId(startedAt));
  return generatedRuns.map((run, index) => {
    const callees = generatedRuns.flatMap(({ caller, awaited }, position) =>
      position - caller === index && awaited ? [ids[position] ?? ''] : [],
    );
    const identity = { runId: ids[index] ?? '', parentRunId: ids[index - run.caller] ?? null, startedAt };
    return createRunRecord({
      ...identity,
      ...(run.outcome === null ? activeFields(run, callees) : endedFields(run.outcome)),
      ...descriptiveFields(run),
    });
  });
}

function descriptiveFields({ workflowId, startedBy, businessKey, riskLevel, since }: GeneratedRun): Partial<RunRecord> {
  return { workflowId, startedBy, businessKey, riskLevel, updatedAt: Math.max(...since) };
}

function endedFields(outcome: RunOutcome): Partial<RunRecord> {
  return { outcome, status: outcome === 'completed' ? 'completed' : 'failed', completedAt: 1 };
}

/** Returns the fields of an active run, as `projectRun` of the interpreter computes them. */
function activeFields(generatedRun: GeneratedRun, callees: readonly string[]): Partial<RunRecord> {
  const { hasJob, hasIncident, cancelling } = generatedRun;
  const calls = [...callees, ...Array.from({ length: generatedRun.unstartedCallCount }, () => nextId())];
  const waitingFor = [
    ...generatedRun.waits.map((kind) => ({ kind })),
    ...calls.map((childRunId) => ({ kind: 'event' as const, childRunId })),
  ]
    .map((wait, index): WaitingFor => ({
      ...wait,
      stepId: nextId(),
      elementId: wait.kind,
      name: null,
      since: generatedRun.since[index] ?? 0,
    }))
    .sort((a, b) => a.since - b.since);
  return {
    waitingFor,
    cancelling,
    status: cancelling && !hasJob ? (hasIncident ? 'failed' : 'active') : deriveStatus(hasJob, waitingFor, hasIncident),
    pendingApprovals: generatedRun.waits.includes('approval') ? 1 : 0,
    pendingQuestions: generatedRun.waits.includes('question') ? 1 : 0,
    incidents: hasIncident ? 1 : 0,
    error: hasIncident ? { code: 'broken', message: generatedRun.since.join(' '), elementId: 'x' } : null,
  };
}

function deriveStatus(hasJob: boolean, waitingFor: readonly WaitingFor[], hasIncident: boolean): RunStatus {
  if (hasJob) return 'active';
  if (waitingFor.length > 0) return 'blocked';
  return hasIncident ? 'failed' : 'active';
}

/** Returns a run merged with its child runs, computed independently of the storage. */
export function toDisplayedRun(run: RunRecord, runsById: ReadonlyMap<string, RunRecord>): RunRecord {
  const ids = run.outcome === null ? run.waitingFor.flatMap(({ childRunId }) => childRunId ?? []) : [];
  if (ids.length === 0) return run;
  const childRuns = ids
    .flatMap((id) => runsById.get(id) ?? [])
    .filter(({ outcome }) => outcome === null)
    .map((each) => toDisplayedRun(each, runsById));
  const statuses = childRuns.map(({ status }) => status);
  /** Whether the child run lists its own waits. If so, its caller does not list the call. */
  const isListedByChild = ({ childRunId }: WaitingFor): boolean =>
    childRuns.some(({ runId, waitingFor }) => runId === childRunId && waitingFor.length > 0);
  const isActive = run.status === 'active' || childRuns.length < ids.length || statuses.includes('active');
  const isBlocked = run.waitingFor.some(({ childRunId }) => childRunId === undefined) || statuses.includes('blocked');
  const status = isActive ? 'active' : isBlocked ? 'blocked' : 'failed';
  return {
    ...run,
    status,
    waitingFor: [run, ...childRuns]
      .flatMap(({ waitingFor }) => waitingFor.filter((wait) => !isListedByChild(wait)))
      .sort((a, b) => a.since - b.since),
    pendingApprovals: [run, ...childRuns].reduce((sum, each) => sum + each.pendingApprovals, 0),
    pendingQuestions: [run, ...childRuns].reduce((sum, each) => sum + each.pendingQuestions, 0),
    error: run.error ?? (status === 'failed' ? (childRuns.find(({ error }) => error !== null)?.error ?? null) : null),
  };
}

/** Returns whether a displayed run matches a filter. */
export function matchesFilter(run: RunRecord, filter: RunFilter): boolean {
  const { waitingFor, stuckSince, needsAttention, startedAfter = 0, ...equalityFilters } = filter;
  const isStuck = (since: number): boolean =>
    run.status === 'active' && run.waitingFor.length === 0 && run.updatedAt < since;
  const hasFailed = run.status === 'failed' && run.outcome === null;
  const matchesWait = waitingFor === undefined || run.waitingFor.some(({ kind }) => kind === waitingFor);
  return (
    (stuckSince === undefined || isStuck(stuckSince)) &&
    (needsAttention === undefined || hasFailed || isStuck(needsAttention.stuckSince)) &&
    matchesWait &&
    run.startedAt > startedAfter &&
    Object.entries(equalityFilters).every(([name, value]) => run[name as keyof RunRecord] === value)
  );
}

/** Filters whose matches depend on the child runs. */
export const SINGLE_FILTERS: readonly RunFilter[] = [
  ...(['active', 'blocked', 'failed', 'completed'] as const).map((status) => ({ status })),
  ...WAIT_KINDS.map((waitingFor) => ({ waitingFor })),
  { stuckSince: 3 },
  { needsAttention: { stuckSince: 3 } },
];

const optionalFilter = (...values: RunFilter[]): fc.Arbitrary<RunFilter> => fc.constantFrom({}, {}, ...values);

/** Random combinations of one or two of these filters with other filters. */
export const combinedFilters: fc.Arbitrary<RunFilter> = fc
  .tuple(
    fc.constantFrom(...SINGLE_FILTERS),
    optionalFilter(...SINGLE_FILTERS),
    optionalFilter({ workflowId: 'other' }),
    optionalFilter({ startedBy: 'bob' }),
    optionalFilter({ businessKey: 'k1' }),
    optionalFilter({ riskLevel: 'critical' }),
    optionalFilter({ outcome: 'completed' }, { outcome: 'failed' }),
  )
  .map((all) => Object.assign({}, ...all) as RunFilter);
