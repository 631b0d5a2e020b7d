import { runToCompletion, type RunState, type WorkflowGraph } from '@countersign/model';
import { RUN_ID, type TestRun } from '../interpreter.spec.support.js';
import type { RecordedEvent } from './recorded-event.js';
import { replayCommand, type ReplayPosition } from './replay.js';

/**
 * Replays all events of a run, and returns the state afterwards.
 *
 * @param findGraphByDigest by default, returns the graph of the run for every digest
 */
export function replayRun(
  run: TestRun,
  findGraphByDigest: (digest: string) => WorkflowGraph | undefined = () => run.graph,
): RunState | undefined {
  const events = run.events.map((event): RecordedEvent => ({
    ...event,
    commitment: event.private === null ? null : 'x',
  }));
  const sources = { facts: { runId: RUN_ID, parent: null }, findGraph: findGraphByDigest };
  let position: ReplayPosition | null = null;
  for (;;) {
    const [next, ...laterEvents] = events.slice(position?.seq ?? 0);
    if (next === undefined) return position?.state;
    position = runToCompletion(replayCommand(position, [next, ...laterEvents], sources, 0)).position;
  }
}
