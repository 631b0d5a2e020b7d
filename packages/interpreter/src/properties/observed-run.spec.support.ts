import {
  type AdvanceObserver,
  type AdvanceResult,
  runToCompletion,
  type RunEventDraft,
  type RunState,
  type WorkflowGraph,
} from '@countersign/model';
import { projectRun } from '../project-run.js';
import { RUN_ID } from '../interpreter.spec.support.js';
import { ReplayGap, type RecordedEvent } from '../replay/recorded-event.js';
import { replayCommand, type ReplayedMoment, type ReplayPosition, type ReplayedCommand } from '../replay/replay.js';
import type { Version } from './versions.spec.support.js';
import { assertProperty } from './violation.spec.support.js';

/** An event of a run, and the run as observed immediately after it. */
interface ObservedEvent {
  readonly event: RunEventDraft;
  /** `undefined` if the state was too large to keep. */
  readonly state: RunState | undefined;
  readonly graph: WorkflowGraph;
  /** Whether the command emitted further events after this event. */
  readonly isWithinCommand: boolean;
  readonly flows: ReadonlyMap<string, number>;
}

/** Maximum number of events of one command, which may enter 10,000 elements. */
const MAX_REPLAYED_EVENTS = 32_000;
/** Maximum number of instances in a kept state: tokens may multiply within a command, and each event has a state. */
const MAX_STORED_INSTANCES = 150;

/**
 * Observes a run, and checks that a replay of its history produces the same state after the last event of each command
 * and after one other event of the command. A replay does not repeat the decisions of agents: after the first event of
 * an agent, only the outcome and the variables are compared, and the replay may stop with a gap.
 */
export class ObservedRun implements AdvanceObserver {
  private readonly observedEvents: ObservedEvent[] = [];
  private flows = new Map<string, number>();
  private pendingEvents: Pick<ObservedEvent, 'state' | 'flows'>[] = [];
  /** Position of the first event of an agent. */
  private firstAgentEvent = Infinity;

  onEventEmitted(state: RunState): void {
    const isStored = Object.keys(state.instances).length <= MAX_STORED_INSTANCES;
    this.pendingEvents.push({
      state: isStored ? { ...state, instances: { ...state.instances } } : undefined,
      flows: this.flows,
    });
  }

  onFlowTaken(flowId: string): void {
    this.flows = new Map(this.flows).set(flowId, (this.flows.get(flowId) ?? 0) + 1);
    const last = this.pendingEvents.pop();
    if (last !== undefined) this.pendingEvents.push({ ...last, flows: this.flows });
  }

  onCommandDone({ events, state }: AdvanceResult, { graph }: Version): void {
    for (const [index, event] of events.entries()) {
      const isWithinCommand = index < events.length - 1;
      const pending = this.pendingEvents[index];
      if (pending === undefined) throw new Error('An event was not observed.');
      if (event.type.startsWith('agent.'))
        this.firstAgentEvent = Math.min(this.firstAgentEvent, this.observedEvents.length);
      this.observedEvents.push({
        event,
        graph,
        isWithinCommand,
        ...(isWithinCommand ? pending : { state, flows: this.flows }),
      });
    }
    this.pendingEvents = [];
  }

  checkReplay(): void {
    const events = this.observedEvents.map(({ event }): RecordedEvent => ({
      ...event,
      commitment: event.private === null ? null : 'x',
    }));
    let position: ReplayPosition | null = null;
    for (let offset = 0; offset < events.length; offset = position.seq) {
      const [next, ...laterEvents] = events.slice(offset, offset + MAX_REPLAYED_EVENTS);
      if (next === undefined) throw new Error('There is no event left to replay.');
      const sources = { facts: { runId: RUN_ID, parent: null }, findGraph: () => this.observedEvents[offset]?.graph };
      const replay = (at: number): ReplayedCommand =>
        runToCompletion(replayCommand(position, [next, ...laterEvents], sources, at));
      try {
        const { position: reachedPosition } = replay(0);
        this.compare(reachedPosition.seq, replay(reachedPosition.seq).moment);
        const middleSeq = next.seq + ((next.seq * 7) % (reachedPosition.seq - next.seq + 1));
        this.compare(middleSeq, replay(middleSeq).moment);
        position = reachedPosition;
      } catch (error) {
        if (offset >= this.firstAgentEvent && error instanceof ReplayGap) return;
        throw error;
      }
    }
  }

  private compare(seq: number, moment: ReplayedMoment | undefined): void {
    const observed = this.observedEvents[seq - 1];
    if (observed === undefined || moment === undefined)
      throw new Error(`Event ${seq} was not observed or not replayed.`);
    const { state } = observed;
    if (state === undefined) return;
    const label = `the replayed state after event ${seq} (${observed.event.type})`;
    if (seq > this.firstAgentEvent) {
      assertProperty(moment.state.outcome === state.outcome, `${label} has the observed outcome`);
      assertProperty(
        serializeVariables(moment.state) === serializeVariables(state),
        `${label} has the observed variables`,
      );
      return;
    }
    const [replayed, expected] = [
      serializeProjection(moment, observed.isWithinCommand),
      serializeProjection({ ...observed, state }, observed.isWithinCommand),
    ];
    assertProperty(
      replayed === expected,
      `${label} equals the observed state (expected ${expected}, received ${replayed})`,
    );
    assertProperty(
      serializeFlows(moment) === serializeFlows(observed),
      `${label} has the observed numbers of taken flows`,
    );
  }
}

function serializeVariables({ instances, root }: RunState): string {
  return JSON.stringify(instances[root]?.variables ?? {});
}

/** Serializes everything that a replay must reproduce. Within a command, this excludes facts that depend on waits. */
function serializeProjection(
  { graph, state }: Pick<ReplayedMoment, 'graph' | 'state'>,
  isWithinCommand: boolean,
): string {
  const { status, waitingFor, currentStep, incidents, error, cancelling } = projectRun(graph, state);
  const instances = Object.values(state.instances).map((each) => [
    each.stepId,
    each.elementId,
    each.attempt,
    each.iteration,
    each.variables ?? {},
    each.joins ?? {},
  ]);
  return JSON.stringify([
    state.seq,
    state.outcome,
    state.workflowVersion,
    isWithinCommand ? null : [status, waitingFor],
    currentStep,
    incidents,
    error,
    cancelling,
    instances,
  ]);
}

function serializeFlows({ flows }: Pick<ObservedEvent, 'flows'>): string {
  return JSON.stringify([...flows].sort(([a], [b]) => (a < b ? -1 : 1)));
}
