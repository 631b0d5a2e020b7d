import {
  type AdvanceObserver,
  type AdvanceResult,
  atOnce,
  type RunEventDraft,
  type RunState,
  type WorkflowGraph,
} from '@countersign/model';
import { projectRun } from '../project-run.js';
import { RUN_ID } from '../interpreter.spec.support.js';
import { ReplayGap, type RecordedEvent } from '../replay/recorded-event.js';
import { replayCommand, type ReplayedMoment, type ReplayPosition, type Taken } from '../replay/replay.js';
import type { Version } from './versions.spec.support.js';
import { must } from './violation.spec.support.js';

/** The observation of a run just after one of its events. */
interface Seen {
  readonly event: RunEventDraft;
  /** `undefined` if the state was too large to keep. */
  readonly state: RunState | undefined;
  readonly graph: WorkflowGraph;
  readonly isWithin: boolean;
  readonly flows: ReadonlyMap<string, number>;
}

/** Maximum number of events of one command, which may enter 10,000 elements. */
const AHEAD = 32_000;
/** Maximum number of instances in a kept state: tokens may multiply within a command, and each event has a state. */
const MAX_KEPT = 150;

/**
 * Observes a run, and checks that a replay of its history shows the same after the last event of each command, and
 * after one event within it. A replay follows agents without deciding again, so only facts that do not depend on agent
 * decisions are compared after their first event; and if an agent was active, a replay may stop with a gap.
 */
export class ObservedRun implements AdvanceObserver {
  private readonly seen: Seen[] = [];
  private flows = new Map<string, number>();
  private within: Pick<Seen, 'state' | 'flows'>[] = [];
  /** Position of the first event of an agent. */
  private firstOfAgent = Infinity;

  emitted(state: RunState): void {
    const isKept = Object.keys(state.instances).length <= MAX_KEPT;
    this.within.push({
      state: isKept ? { ...state, instances: { ...state.instances } } : undefined,
      flows: this.flows,
    });
  }

  took(flowId: string): void {
    this.flows = new Map(this.flows).set(flowId, (this.flows.get(flowId) ?? 0) + 1);
    const last = this.within.pop();
    if (last !== undefined) this.within.push({ ...last, flows: this.flows });
  }

  behind({ events, state }: AdvanceResult, { graph }: Version): void {
    for (const [index, event] of events.entries()) {
      const isWithin = index < events.length - 1;
      const within = this.within[index];
      if (within === undefined) throw new Error('each event is observed');
      if (event.type.startsWith('agent.')) this.firstOfAgent = Math.min(this.firstOfAgent, this.seen.length);
      this.seen.push({ event, graph, isWithin, ...(isWithin ? within : { state, flows: this.flows }) });
    }
    this.within = [];
  }

  checkReplay(): void {
    const events = this.seen.map(({ event }): RecordedEvent => ({
      ...event,
      commitment: event.private === null ? null : 'x',
    }));
    let position: ReplayPosition | null = null;
    for (let place = 0; place < events.length; place = position.seq) {
      const [next, ...behind] = events.slice(place, place + AHEAD);
      if (next === undefined) throw new Error('there is an event');
      const sources = { facts: { runId: RUN_ID, parent: null }, graphOf: () => this.seen[place]?.graph };
      const replay = (at: number): Taken => atOnce(replayCommand(position, [next, ...behind], sources, at));
      try {
        const { position: reached } = replay(0);
        this.compare(reached.seq, replay(reached.seq).moment);
        const middle = next.seq + ((next.seq * 7) % (reached.seq - next.seq + 1));
        this.compare(middle, replay(middle).moment);
        position = reached;
      } catch (error) {
        if (place >= this.firstOfAgent && error instanceof ReplayGap) return;
        throw error;
      }
    }
  }

  private compare(seq: number, moment: ReplayedMoment | undefined): void {
    const seen = this.seen[seq - 1];
    if (seen === undefined || moment === undefined) throw new Error(`Nothing is known of event ${seq}.`);
    const { state } = seen;
    if (state === undefined) return;
    const what = `what is replayed of event ${seq} (${seen.event.type})`;
    if (seq > this.firstOfAgent) {
      must(moment.state.outcome === state.outcome, `${what} has the outcome that was seen`);
      must(variablesOf(moment.state) === variablesOf(state), `${what} has the variables that were seen`);
      return;
    }
    const [replayed, shown] = [shownOf(moment, seen.isWithin), shownOf({ ...seen, state }, seen.isWithin)];
    must(replayed === shown, `${what} is what was seen: ${shown} and not ${replayed}`);
    must(flowsOf(moment) === flowsOf(seen), `${what} has the flows that were taken`);
  }
}

function variablesOf({ instances, root }: RunState): string {
  return JSON.stringify(instances[root]?.variables ?? {});
}

/** Returns everything that a replay shows. Within a command, this does not depend on waits. */
function shownOf({ graph, state }: Pick<ReplayedMoment, 'graph' | 'state'>, isWithin: boolean): string {
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
    isWithin ? null : [status, waitingFor],
    currentStep,
    incidents,
    error,
    cancelling,
    instances,
  ]);
}

function flowsOf({ flows }: Pick<Seen, 'flows'>): string {
  return JSON.stringify([...flows].sort(([a], [b]) => (a < b ? -1 : 1)));
}
