import type {
  AdvanceContext,
  AdvanceObserver,
  AdvanceResult,
  Command,
  ErrorCode,
  Halt,
  RunState,
  WorkflowGraph,
} from '@countersign/model';
import { advanceInPieces } from '../advance.js';
import {
  isFailureOfAgent,
  isOfAgent,
  withAgentEvent,
  withAgentWaits,
  withPendingRequests,
  withTurns,
  type AgentWaits,
} from './agent-waits.js';
import { idDistance } from './id-distance.js';
import { replayMismatch, instanceOf, recordedCommand, type UpcomingEvents, type RunFacts } from './recorded-command.js';
import { isSameJson, recordedAnswers } from './recorded-answers.js';
import { ReplayGap, type RecordedEvent } from './recorded-event.js';

/** The position of a replay after a command. Immutable, so it can be stored and continued from. */
export interface ReplayPosition {
  readonly seq: number;
  readonly state: RunState;
  readonly graph: WorkflowGraph;
  readonly agents: AgentWaits;
  /** Number of times each sequence flow was taken. */
  readonly flows: ReadonlyMap<string, number>;
}

/** A run as it was just after an event. */
export interface ReplayedMoment extends Omit<ReplayPosition, 'agents'> {
  /** Whether the command that produced the event had more to do. */
  readonly isWithinCommand: boolean;
}

export interface ReplaySources {
  readonly facts: RunFacts;
  /** Returns the compiled version with a digest, if available. */
  graphOf(digest: string): WorkflowGraph | undefined;
}

/** The result of replaying a command. */
export interface Taken {
  readonly position: ReplayPosition;
  /** The requested moment, if its event belongs to the command. */
  readonly moment: ReplayedMoment | undefined;
}

/**
 * Executes one recorded command again with its recorded answers, and compares its events with the recorded ones.
 *
 * Yields between elements, because a command may have entered thousands.
 *
 * @param before the position of the replay; `null` at the beginning
 * @param ahead the events after that position, at least all of the command
 * @param at the event after which the run is requested
 * @throws {ReplayGap} if the history does not contain the command or differs from it
 * @throws {MoreEventsNeeded} if `ahead` ends before the events of the command do
 */
export function* replayCommand(
  before: ReplayPosition | null,
  ahead: UpcomingEvents,
  sources: ReplaySources,
  at: number,
): Generator<void, Taken> {
  const [first] = ahead;
  const graph = before?.graph ?? graphOf(sources, first);
  if (before !== null && isAgentEvent(before, ahead)) return aside(before, first, at);
  const command = recordedCommand(ahead, graph, before?.state ?? null, sources.facts);
  const target = command.type === 'migrate' ? graphOf(sources, first) : undefined;
  const state =
    before !== null && target !== undefined
      ? withPendingRequests(before.state, before.agents)
      : (before?.state ?? null);
  const decided = yield* decideAgain(graph, state, command, ahead, target);
  const last = decided.events.at(-1) ?? first;
  const moment = at <= last.seq ? yield* momentOf(before, decided, at) : undefined;
  let agents = before?.agents ?? new Map();
  for (const event of decided.events)
    if (isOfAgent(event, decided.graph) || event.data['callId'] !== undefined) agents = withAgentEvent(agents, event);
  const position: ReplayPosition = {
    seq: last.seq,
    state: withFailures(
      before === null || target === undefined
        ? decided.result.state
        : withTurns(decided.result.state, before.state, before.agents),
      decided,
      last.seq,
    ),
    graph: decided.graph,
    agents,
    flows: withFlows(
      before?.flows,
      decided.took.map(({ flowId }) => flowId),
    ),
  };
  return { position, moment: moment ?? (at === last.seq ? shown(position) : undefined) };
}

/** Returns whether an event is an agent's action, which leaves its step unchanged and is only tracked. */
function isAgentEvent({ state, graph }: ReplayPosition, ahead: UpcomingEvents): boolean {
  const [first, second] = ahead;
  if (isOfAgent(first, graph)) return true;
  const hasJob = instanceOf(first, state)?.waits?.some((wait) => wait.kind === 'job') === true;
  if (first.type === 'timer.fired') return second?.type === 'question.expired';
  if (first.type === 'step.attempt_failed') return first.data['callId'] !== undefined;
  // The step may have failed already and only have a call in progress.
  return (
    first.type === 'step.failed' &&
    instanceOf(first, state) !== undefined &&
    (first.data['callId'] !== undefined || !hasJob)
  );
}

function aside(before: ReplayPosition, event: RecordedEvent, at: number): Taken {
  const agents = withAgentEvent(before.agents, event);
  const state = event.type === 'step.failed' ? withFailure(before.state, event) : before.state;
  const position = { ...before, seq: event.seq, agents, state: { ...state, seq: event.seq, updatedAt: event.at } };
  return { position, moment: at === event.seq ? shown(position) : undefined };
}

/** Returns the state after an agent step has failed, by a call or by an exhausted budget. */
function withFailure(state: RunState, event: RecordedEvent): RunState {
  const failed = instanceOf(event, state);
  if (failed === undefined) return state;
  const incident = {
    code: String(event.data['code']),
    message: String(event.private?.['message'] ?? ''),
    at: event.at,
    phase: 'job' as const,
  };
  const waits = (failed.waits ?? []).filter((wait) => wait.kind !== 'job');
  return { ...state, instances: { ...state.instances, [failed.key]: { ...failed, incident, waits } } };
}

function withFailures(state: RunState, { events, matched }: Decided, seq: number): RunState {
  const others =
    events.length === matched.length
      ? []
      : events.filter((event) => event.type === 'step.failed' && !matched.includes(event));
  return { ...others.reduce(withFailure, state), seq };
}

function shown({ agents, ...position }: ReplayPosition): ReplayedMoment {
  return { ...position, state: withAgentWaits(position.state, agents), isWithinCommand: false };
}

interface Decided {
  readonly result: AdvanceResult;
  readonly graph: WorkflowGraph;
  /** The recorded events of the command, and those of them that match its result. */
  readonly events: readonly RecordedEvent[];
  readonly matched: readonly RecordedEvent[];
  readonly took: readonly { readonly flowId: string; readonly events: number }[];
  /** Executes the command again and returns the state after one of its events. */
  readonly again: (events: number) => Generator<void, RunState | undefined>;
}

function* decideAgain(
  graph: WorkflowGraph,
  state: RunState | null,
  command: Command,
  ahead: UpcomingEvents,
  target: WorkflowGraph | undefined,
): Generator<void, Decided> {
  let differing: RecordedEvent = ahead[0];
  for (const halt of possibleHalts(ahead)) {
    const attempt = (from: RunState | null, observer: AdvanceObserver): Generator<void, AdvanceResult> =>
      attemptInPieces(graph, from, command, ahead, target, { observer, ...(halt === undefined ? {} : { halt }) });
    let from = state;
    for (let isShifted = false; ; isShifted = true) {
      const took: { flowId: string; events: number }[] = [];
      let emitted = 0;
      const result = yield* attempt(from, {
        emitted: () => (emitted += 1),
        took: (flowId) => took.push({ flowId, events: emitted }),
      });
      const { shift, ...found } = yield* match(result, ahead, target ?? graph);
      if (found.events !== undefined) {
        const source = from;
        const again = (events: number): Generator<void, RunState | undefined> =>
          replayUntil(events, (observer) => attempt(source, observer));
        return { result, graph: target ?? graph, ...found, took, again };
      }
      differing = found.event;
      if (shift === 0 || isShifted || from === null) break;
      // Actions of agents used ids that no event records.
      from = { ...from, counter: from.counter + shift };
    }
  }
  throw replayMismatch(differing, 'executing it again gives a different result');
}

/**
 * Returns the halts to try. An incident with this code may also belong to a later command, so a replay without a halt
 * is tried as well.
 */
function possibleHalts(ahead: UpcomingEvents): readonly (Halt | undefined)[] {
  const failed = ahead.find(({ type, data }) => type === 'step.failed' && data['code'] === HALTED);
  if (failed === undefined) return [undefined];
  return [{ code: HALTED, message: String(failed.private?.['message'] ?? '') }, undefined];
}

const HALTED = 'command_not_storable' satisfies ErrorCode;

/** @throws {MoreEventsNeeded} as soon as a policy request has no answer in the events */
function* attemptInPieces(
  graph: WorkflowGraph,
  from: RunState | null,
  command: Command,
  ahead: UpcomingEvents,
  target: WorkflowGraph | undefined,
  more: Pick<AdvanceContext, 'halt' | 'observer'>,
): Generator<void, AdvanceResult> {
  const answers = recordedAnswers(ahead, target);
  const pieces = advanceInPieces(graph, from, command, { ...answers.context, ...more });
  for (;;) {
    const step = pieces.next();
    if (answers.isExhausted()) throw new MoreEventsNeeded();
    if (step.done === true) return step.value;
    yield;
  }
}

function* replayUntil(
  wanted: number,
  attempt: (observer: AdvanceObserver) => Generator<void, AdvanceResult>,
): Generator<void, RunState | undefined> {
  let [count, seen] = [0, undefined as RunState | undefined];
  yield* attempt({
    emitted: (state) => {
      count += 1;
      if (count === wanted) seen = { ...state, instances: { ...state.instances } };
    },
    took: () => undefined,
  });
  return seen;
}

type Matched =
  | { readonly shift: 0; readonly events: readonly RecordedEvent[]; readonly matched: readonly RecordedEvent[] }
  | { readonly shift: number; readonly events?: undefined; readonly event: RecordedEvent };

/** Compares the events of a result with the recorded events, which may include events of agents in between. */
function* match(
  { events: given, refusal }: AdvanceResult,
  ahead: UpcomingEvents,
  graph: WorkflowGraph,
): Generator<void, Matched> {
  const [first] = ahead;
  if (given.length === 0) throw replayMismatch(first, refusal?.message ?? 'it has no effect');
  const matched: RecordedEvent[] = [];
  let place = 0;
  for (const event of given) {
    let recorded = ahead[place];
    while (
      recorded !== undefined &&
      (isOfAgent(recorded, graph) || isFailureOfAgent(recorded, graph)) &&
      !isSame(event, recorded)
    )
      recorded = ahead[(place += 1)];
    if (recorded === undefined) throw new MoreEventsNeeded();
    if (!isSame(event, recorded)) return { shift: shiftBetween(event, recorded), event: recorded };
    matched.push(recorded);
    place += 1;
    yield;
  }
  return { shift: 0, events: ahead.slice(0, place), matched };
}

/** Thrown when a replay needs more events than it was given. */
export class MoreEventsNeeded extends Error {}

type Comparable = Pick<RecordedEvent, 'type' | 'stepId' | 'elementId' | 'data'>;

function isSame(one: Comparable, other: Comparable): boolean {
  return (
    one.type === other.type &&
    one.stepId === other.stepId &&
    one.elementId === other.elementId &&
    isSameJson(comparable(one), comparable(other))
  );
}

/**
 * Returns the data without the parts that a replay does not produce: digests of people are added when events are
 * chained, and the separation of duties mode is a setting that older events do not record. Older events also do not
 * record which event throws.
 */
function comparable({ type, data }: Comparable): RecordedEvent['data'] {
  if (type === 'error.thrown' || type === 'escalation.thrown') return { code: data['code'] ?? null };
  if (type !== 'approval.requested' && data['personDigests'] === undefined) return data;
  const { separationOfDuties: _mode, personDigests: _digests, ...rest } = data;
  return rest;
}

/** Returns by how much the recorded ids of an event are ahead of the computed ones. */
function shiftBetween(given: Comparable, recorded: Comparable): number {
  if (given.type !== recorded.type || given.elementId !== recorded.elementId) return 0;
  if (given.stepId !== recorded.stepId)
    return given.stepId === null || recorded.stepId === null ? 0 : idDistance(given.stepId, recorded.stepId);
  for (const name of ['approvalId', 'subscriptionId', 'childRunId', 'voteId']) {
    const [one, other] = [given.data[name], recorded.data[name]];
    if (typeof one === 'string' && typeof other === 'string' && one !== other) return idDistance(one, other);
  }
  return 0;
}

function* momentOf(
  before: ReplayPosition | null,
  decided: Decided,
  at: number,
): Generator<void, ReplayedMoment | undefined> {
  const last = decided.events.at(-1)?.seq ?? at;
  if (at >= last) return undefined;
  const events = decided.matched.filter(({ seq }) => seq <= at).length;
  const state = yield* decided.again(events);
  if (state === undefined) return undefined;
  const flows = withFlows(
    before?.flows,
    decided.took.flatMap((each) => (each.events <= events ? [each.flowId] : [])),
  );
  return {
    seq: at,
    state: withAgentWaits({ ...state, seq: at }, before?.agents ?? new Map()),
    graph: decided.graph,
    flows,
    isWithinCommand: true,
  };
}

function withFlows(
  before: ReadonlyMap<string, number> = new Map(),
  took: readonly string[],
): ReadonlyMap<string, number> {
  if (took.length === 0) return before;
  const flows = new Map(before);
  for (const flowId of took) flows.set(flowId, (flows.get(flowId) ?? 0) + 1);
  return flows;
}

function graphOf(sources: ReplaySources, { seq, type, data }: RecordedEvent): WorkflowGraph {
  const digest = type === 'run.migrated' ? data['toDigest'] : data['workflowDigest'];
  const graph = sources.graphOf(String(digest));
  if (graph === undefined)
    throw new ReplayGap('version_missing', seq, 'The workflow version of the run at that time is missing.');
  return graph;
}
