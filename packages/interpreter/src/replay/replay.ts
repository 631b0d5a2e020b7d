import {
  type AdvanceContext,
  type AdvanceObserver,
  type AdvanceResult,
  type Command,
  type ErrorCode,
  findVersionChange,
  type Halt,
  type Incident,
  type RunState,
  type WorkflowGraph,
} from '@countersign/model';
import { advanceInPieces } from '../advance.js';
import {
  isAgentStepFailure,
  isAgentActionEvent,
  withAgentEvent,
  withAgentWaits,
  withPendingRequests,
  withTurnJobs,
  type AgentWaits,
} from './agent-waits.js';
import { computeIdDistance } from './id-distance.js';
import {
  createReplayMismatch,
  findInstance,
  buildRecordedCommand,
  type UpcomingEvents,
  type RunIdentity,
} from './recorded-command.js';
import { isSameJson, readRecordedResults } from './recorded-results.js';
import { ReplayGap, type RecordedEvent } from './recorded-event.js';

/** The position of a replay after a command. Immutable, so it can be stored and the replay can continue from it. */
export interface ReplayPosition {
  readonly seq: number;
  readonly state: RunState;
  readonly graph: WorkflowGraph;
  readonly agents: AgentWaits;
  /** Number of times each sequence flow was taken. */
  readonly flows: ReadonlyMap<string, number>;
}

/** A run immediately after an event. */
export interface ReplayedMoment extends Omit<ReplayPosition, 'agents'> {
  /** Whether the command that produced the event had more to do. */
  readonly isWithinCommand: boolean;
}

export interface ReplaySources {
  readonly facts: RunIdentity;
  /** Returns the compiled version with a digest, if available. */
  findGraph(digest: string): WorkflowGraph | undefined;
}

/** The result of replaying a command. */
export interface ReplayedCommand {
  readonly position: ReplayPosition;
  /** The requested moment, if its event belongs to the command. */
  readonly moment: ReplayedMoment | undefined;
}

/**
 * Executes one recorded command again with its recorded results, and compares its events with the recorded ones.
 *
 * Yields between elements, because a command may have entered thousands.
 *
 * @param before the position of the replay; `null` at the beginning
 * @param upcoming the events after that position, at least all of the command
 * @param atSeq the event after which the run is requested
 * @throws {ReplayGap} if the history does not contain the command or differs from it
 * @throws {MoreEventsNeeded} if `upcoming` ends before the events of the command do
 */
export function* replayCommand(
  before: ReplayPosition | null,
  upcoming: UpcomingEvents,
  sources: ReplaySources,
  atSeq: number,
): Generator<void, ReplayedCommand> {
  const [first] = upcoming;
  const graph = before?.graph ?? requireGraph(sources, first);
  if (before !== null && isFollowed(before, upcoming)) return followEvent(before, first, atSeq);
  const command = buildRecordedCommand(upcoming, graph, before?.state ?? null, sources.facts);
  const target = command.type === 'migrate' ? requireGraph(sources, first) : undefined;
  const state =
    before !== null && target !== undefined
      ? withPendingRequests(before.state, before.agents)
      : (before?.state ?? null);
  const executed = yield* executeAgain(graph, state, command, upcoming, target);
  const last = executed.events.at(-1) ?? first;
  const moment = atSeq <= last.seq ? yield* buildMoment(before, executed, atSeq) : undefined;
  let agents = before?.agents ?? new Map();
  for (const event of executed.events)
    if (isAgentActionEvent(event, executed.graph) || event.data['callId'] !== undefined)
      agents = withAgentEvent(agents, event);
  const position: ReplayPosition = {
    seq: last.seq,
    state: applyUnmatchedFailures(
      before === null || target === undefined
        ? executed.result.state
        : withTurnJobs(executed.result.state, before.state, before.agents),
      executed,
      last.seq,
    ),
    graph: executed.graph,
    agents,
    flows: withFlows(
      before?.flows,
      executed.takenFlows.map(({ flowId }) => flowId),
    ),
  };
  return { position, moment: moment ?? (atSeq === last.seq ? toMoment(position) : undefined) };
}

/**
 * Returns whether an event leaves its step unchanged, so its command need not be executed: an action of an agent, which
 * is only tracked, or a comment, whose text may have been erased.
 */
function isFollowed({ state, graph }: ReplayPosition, upcoming: UpcomingEvents): boolean {
  const [first, second] = upcoming;
  if (first.type === 'approval.commented' || isAgentActionEvent(first, graph)) return true;
  const hasJob = findInstance(first, state)?.waits?.some((wait) => wait.kind === 'job') === true;
  if (first.type === 'timer.fired') return second?.type === 'question.expired';
  if (first.type === 'step.attempt_failed') return first.data['callId'] !== undefined;
  // The step may have failed already and only have a call in progress.
  return (
    first.type === 'step.failed' &&
    findInstance(first, state) !== undefined &&
    (first.data['callId'] !== undefined || !hasJob)
  );
}

function followEvent(before: ReplayPosition, event: RecordedEvent, atSeq: number): ReplayedCommand {
  const agents = withAgentEvent(before.agents, event);
  const state = event.type === 'step.failed' ? applyStepFailure(before.state, event) : before.state;
  const time = event.type === 'approval.commented' ? { commentedAt: event.at } : { updatedAt: event.at };
  const position = { ...before, seq: event.seq, agents, state: { ...state, seq: event.seq, ...time } };
  return { position, moment: atSeq === event.seq ? toMoment(position) : undefined };
}

/** Returns the state after an agent step has failed, by a call or by an exhausted budget. */
function applyStepFailure(state: RunState, event: RecordedEvent): RunState {
  const failed = findInstance(event, state);
  if (failed === undefined) return state;
  const incident: Incident = {
    code: String(event.data['code']),
    message: String(event.private?.['message'] ?? ''),
    at: event.at,
    phase: 'job',
  };
  const waits = (failed.waits ?? []).filter((wait) => wait.kind !== 'job');
  return { ...state, instances: { ...state.instances, [failed.key]: { ...failed, incident, waits } } };
}

function applyUnmatchedFailures(state: RunState, { events, matched }: ExecutedCommand, seq: number): RunState {
  const others =
    events.length === matched.length
      ? []
      : events.filter((event) => event.type === 'step.failed' && !matched.includes(event));
  return { ...others.reduce(applyStepFailure, state), seq };
}

function toMoment({ agents, ...position }: ReplayPosition): ReplayedMoment {
  return { ...position, state: withAgentWaits(position.state, agents), isWithinCommand: false };
}

interface ExecutedCommand {
  readonly result: AdvanceResult;
  readonly graph: WorkflowGraph;
  /** The recorded events of the command, and those of them that match its result. */
  readonly events: readonly RecordedEvent[];
  readonly matched: readonly RecordedEvent[];
  readonly takenFlows: readonly { readonly flowId: string; readonly events: number }[];
  /** Executes the command again and returns the state after one of its events. */
  readonly replayTo: (events: number) => Generator<void, RunState | undefined>;
}

function* executeAgain(
  graph: WorkflowGraph,
  state: RunState | null,
  command: Command,
  upcoming: UpcomingEvents,
  target: WorkflowGraph | undefined,
): Generator<void, ExecutedCommand> {
  let mismatchedEvent: RecordedEvent = upcoming[0];
  for (const halt of findPossibleHalts(upcoming)) {
    const execute = (from: RunState | null, observer: AdvanceObserver): Generator<void, AdvanceResult> =>
      executeInPieces(graph, from, command, upcoming, target, { observer, ...(halt === undefined ? {} : { halt }) });
    let from = state;
    for (let isShifted = false; ; isShifted = true) {
      const flowEntries: { flowId: string; events: number }[] = [];
      let emitted = 0;
      const result = yield* execute(from, {
        onEventEmitted: () => (emitted += 1),
        onFlowTaken: (flowId) => flowEntries.push({ flowId, events: emitted }),
      });
      const { shift, ...found } = yield* matchEvents(result, upcoming, target ?? graph);
      if (found.events !== undefined) {
        const source = from;
        const replayTo = (events: number): Generator<void, RunState | undefined> =>
          replayUntil(events, (observer) => execute(source, observer));
        return { result, graph: target ?? graph, ...found, takenFlows: flowEntries, replayTo };
      }
      mismatchedEvent = found.event;
      if (shift === 0 || isShifted || from === null) break;
      // Actions of agents used ids that no event records.
      from = { ...from, counter: from.counter + shift };
    }
  }
  throw createReplayMismatch(mismatchedEvent, 'executing its command again gives a different result');
}

/**
 * Returns the halts to try. An incident with this code may also belong to a later command, so a replay without a halt
 * is tried as well.
 */
function findPossibleHalts(upcoming: UpcomingEvents): readonly (Halt | undefined)[] {
  const failed = upcoming.find(({ type, data }) => type === 'step.failed' && data['code'] === HALTED);
  if (failed === undefined) return [undefined];
  return [{ code: HALTED, message: String(failed.private?.['message'] ?? '') }, undefined];
}

const HALTED = 'command_not_storable' satisfies ErrorCode;

/** @throws {MoreEventsNeeded} as soon as the events do not contain the result of a policy request */
function* executeInPieces(
  graph: WorkflowGraph,
  from: RunState | null,
  command: Command,
  upcoming: UpcomingEvents,
  target: WorkflowGraph | undefined,
  contextOptions: Pick<AdvanceContext, 'halt' | 'observer'>,
): Generator<void, AdvanceResult> {
  const recordedResults = readRecordedResults(upcoming, target);
  const pieces = advanceInPieces(graph, from, command, { ...recordedResults.context, ...contextOptions });
  for (;;) {
    const step = pieces.next();
    if (recordedResults.isExhausted()) throw new MoreEventsNeeded();
    if (step.done === true) return step.value;
    yield;
  }
}

function* replayUntil(
  eventCount: number,
  execute: (observer: AdvanceObserver) => Generator<void, AdvanceResult>,
): Generator<void, RunState | undefined> {
  let [count, capturedState] = [0, undefined as RunState | undefined];
  yield* execute({
    onEventEmitted: (state) => {
      count += 1;
      if (count === eventCount) capturedState = { ...state, instances: { ...state.instances } };
    },
    onFlowTaken: () => undefined,
  });
  return capturedState;
}

type MatchResult =
  | { readonly shift: 0; readonly events: readonly RecordedEvent[]; readonly matched: readonly RecordedEvent[] }
  | { readonly shift: number; readonly events?: undefined; readonly event: RecordedEvent };

/** Compares the events of a result with the recorded events, which may include events of agents in between. */
function* matchEvents(
  { events: computedEvents, refusal }: AdvanceResult,
  upcoming: UpcomingEvents,
  graph: WorkflowGraph,
): Generator<void, MatchResult> {
  const [first] = upcoming;
  if (computedEvents.length === 0) throw createReplayMismatch(first, refusal?.message ?? 'its command has no effect');
  const matched: RecordedEvent[] = [];
  let position = 0;
  for (const event of computedEvents) {
    let recorded = upcoming[position];
    while (
      recorded !== undefined &&
      (isAgentActionEvent(recorded, graph) || isAgentStepFailure(recorded, graph)) &&
      !isSameEvent(event, recorded)
    )
      recorded = upcoming[(position += 1)];
    if (recorded === undefined) throw new MoreEventsNeeded();
    if (!isSameEvent(event, recorded)) return { shift: computeIdShift(event, recorded), event: recorded };
    matched.push(recorded);
    position += 1;
    yield;
  }
  return { shift: 0, events: upcoming.slice(0, position), matched };
}

/** Thrown when a replay needs more events than it was given. */
export class MoreEventsNeeded extends Error {}

type Comparable = Pick<RecordedEvent, 'type' | 'stepId' | 'elementId' | 'data'>;

function isSameEvent(one: Comparable, other: Comparable): boolean {
  return (
    one.type === other.type &&
    one.stepId === other.stepId &&
    one.elementId === other.elementId &&
    isSameJson(toComparable(one), toComparable(other))
  );
}

/**
 * Returns the data without the parts that a replay does not produce: digests of people are added when events are
 * chained, and the separation of duties mode is a setting that older events do not record. Older events also do not
 * record which event throws.
 */
function toComparable({ type, data }: Comparable): RecordedEvent['data'] {
  if (type === 'error.thrown' || type === 'escalation.thrown') return { code: data['code'] ?? null };
  if (type !== 'approval.requested' && data['personDigests'] === undefined) return data;
  const { separationOfDuties: _mode, personDigests: _digests, ...rest } = data;
  return rest;
}

/** Returns by how much the recorded ids of an event are ahead of the computed ones. */
function computeIdShift(computed: Comparable, recorded: Comparable): number {
  if (computed.type !== recorded.type || computed.elementId !== recorded.elementId) return 0;
  if (computed.stepId !== recorded.stepId)
    return computed.stepId === null || recorded.stepId === null
      ? 0
      : computeIdDistance(computed.stepId, recorded.stepId);
  for (const name of ['approvalId', 'subscriptionId', 'childRunId', 'voteId']) {
    const [one, other] = [computed.data[name], recorded.data[name]];
    if (typeof one === 'string' && typeof other === 'string' && one !== other) return computeIdDistance(one, other);
  }
  return 0;
}

function* buildMoment(
  before: ReplayPosition | null,
  executed: ExecutedCommand,
  atSeq: number,
): Generator<void, ReplayedMoment | undefined> {
  const last = executed.events.at(-1)?.seq ?? atSeq;
  if (atSeq >= last) return undefined;
  const events = executed.matched.filter(({ seq }) => seq <= atSeq).length;
  const state = yield* executed.replayTo(events);
  if (state === undefined) return undefined;
  const flows = withFlows(
    before?.flows,
    executed.takenFlows.flatMap((each) => (each.events <= events ? [each.flowId] : [])),
  );
  return {
    seq: atSeq,
    state: withAgentWaits({ ...state, seq: atSeq }, before?.agents ?? new Map()),
    graph: executed.graph,
    flows,
    isWithinCommand: true,
  };
}

function withFlows(
  before: ReadonlyMap<string, number> = new Map(),
  takenFlowIds: readonly string[],
): ReadonlyMap<string, number> {
  if (takenFlowIds.length === 0) return before;
  const flows = new Map(before);
  for (const flowId of takenFlowIds) flows.set(flowId, (flows.get(flowId) ?? 0) + 1);
  return flows;
}

function requireGraph(sources: ReplaySources, event: RecordedEvent): WorkflowGraph {
  const digest = findVersionChange(event)?.digest;
  const graph = digest === undefined ? undefined : sources.findGraph(digest);
  if (graph === undefined)
    throw new ReplayGap('version_missing', event.seq, 'The workflow version of the run at that time is missing.');
  return graph;
}
