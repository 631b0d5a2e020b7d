import { setImmediate } from 'node:timers/promises';
import { findVersionChange, runTimeSliced, type RunEvent, type WorkflowGraph } from '@countersign/model';
import {
  MoreEventsNeeded,
  replayCommand,
  type ReplayedMoment,
  ReplayGap,
  type ReplayPosition,
  type RunIdentity,
  type ReplayedCommand,
} from '@countersign/interpreter';
import { StepProjection } from '../step-projection.js';
import { EMPTY_SUMMARY, updateSummary, type HistorySummary } from './history-summary.js';

const PAGE_SIZE = 1_000;
/**
 * Initial and maximum number of events that are searched for the end of a command. A command may enter 10,000 elements.
 */
const MIN_LOOKAHEAD = 32;
const MAX_LOOKAHEAD = 32_000;
/** Minimum number of events between two checkpoints. */
const CHECKPOINT_INTERVAL = 500;
/** Maximum number of events that are replayed. */
const MAX_REPLAYED_EVENTS = 100_000;
/** Maximum time that a replay blocks the event loop, in ms. */
const SLICE_MS = 15;

/** A run just after one of its events. */
export interface RunAtEvent {
  readonly event: RunEvent;
  readonly steps: StepProjection;
  readonly summary: HistorySummary;
  /** Replayed state; `undefined` after a gap. */
  readonly replayedMoment: ReplayedMoment | undefined;
  readonly gap: ReplayGap | undefined;
}

/** Immutable position between two commands. */
interface TimelinePosition {
  readonly seq: number;
  readonly steps: StepProjection;
  readonly summary: HistorySummary;
  readonly position: ReplayPosition | null;
  readonly gap: ReplayGap | undefined;
}

export interface TimelineSources {
  readonly run: RunIdentity;
  listEvents(after: number, limit: number): Promise<readonly RunEvent[]>;
  /** Returns the graph of a version, or `undefined` if the version is missing. */
  findGraph(digest: string): Promise<WorkflowGraph | undefined>;
}

/**
 * Replayable history of a run. Keeps checkpoints, so that a replay to an event continues from the nearest earlier
 * checkpoint.
 */
export class RunTimeline {
  readonly #checkpoints: TimelinePosition[] = [
    { seq: 0, steps: new StepProjection(), summary: EMPTY_SUMMARY, position: null, gap: undefined },
  ];
  #previousCall: Promise<unknown> = Promise.resolve();

  /** Approximate size in characters, for cache limits. */
  get weight(): number {
    return this.#checkpoints.reduce(
      (sum, { steps }) => sum + 1_000 + steps.count * 100,
      this.#checkpoints.at(-1)?.steps.weight ?? 0,
    );
  }

  /** Returns the run at an event. Calls run sequentially, so that concurrent calls share the replay. */
  getRunAt(seq: number, sources: TimelineSources): Promise<RunAtEvent> {
    const moment = this.#previousCall.then(() => this.#advanceTo(seq, sources));
    this.#previousCall = moment.catch(() => undefined);
    return moment;
  }

  async #advanceTo(seq: number, sources: TimelineSources): Promise<RunAtEvent> {
    const startCheckpoint = this.#checkpoints.findLast((checkpoint) => checkpoint.seq < seq) ?? this.#checkpoints[0];
    if (startCheckpoint === undefined) throw new Error('The timeline has no checkpoint.');
    const eventBuffer = new EventBuffer(startCheckpoint.seq, sources);
    const steps = startCheckpoint.steps.copy();
    let { summary, position, gap } = startCheckpoint;
    let sliceStart = performance.now();
    for (;;) {
      const replayStep =
        gap === undefined ? await this.#replayNextCommand(position, eventBuffer, sources, seq) : undefined;
      if (replayStep instanceof ReplayGap) gap = replayStep;
      const reachedSeq =
        replayStep === undefined || replayStep instanceof ReplayGap
          ? Math.min(seq, eventBuffer.seq + PAGE_SIZE)
          : replayStep.position.seq;
      const count = Math.min(reachedSeq, seq) - eventBuffer.seq;
      if (!eventBuffer.hasLoaded(count)) await eventBuffer.load(count);
      const passedEvents = eventBuffer.consume(count);
      await runTimeSliced(steps.applyAllInPieces(passedEvents));
      summary = passedEvents.reduce(updateSummary, summary);
      if (!(replayStep === undefined || replayStep instanceof ReplayGap)) position = replayStep.position;
      if (reachedSeq >= seq) {
        const event = passedEvents.at(-1);
        if (event?.seq !== seq) throw new Error(`Run ${sources.run.runId} has no event ${seq}.`);
        return {
          event,
          steps,
          summary,
          replayedMoment: replayStep === undefined || replayStep instanceof ReplayGap ? undefined : replayStep.moment,
          gap,
        };
      }
      this.#addCheckpoint({ seq: reachedSeq, steps, summary, position, gap });
      if (performance.now() - sliceStart > SLICE_MS) {
        await setImmediate();
        sliceStart = performance.now();
      }
    }
  }

  /** Replays the next command. Loads more events until they suffice. */
  async #replayNextCommand(
    position: ReplayPosition | null,
    eventBuffer: EventBuffer,
    sources: TimelineSources,
    targetSeq: number,
  ): Promise<ReplayedCommand | ReplayGap> {
    if (eventBuffer.seq >= MAX_REPLAYED_EVENTS)
      return new ReplayGap(
        'too_long',
        eventBuffer.seq + 1,
        `Only the first ${MAX_REPLAYED_EVENTS} events of a run are replayed.`,
      );
    for (let lookahead = MIN_LOOKAHEAD; ; lookahead *= 10) {
      if (!eventBuffer.hasLoaded(lookahead)) await eventBuffer.load(lookahead);
      const events = eventBuffer.peek(lookahead);
      if (!isNonEmpty(events)) throw new Error(`Run ${sources.run.runId} has no event ${eventBuffer.seq + 1}.`);
      const [first] = events;
      try {
        return await runTimeSliced(
          replayCommand(
            position,
            events,
            { facts: sources.run, findGraph: (digest) => eventBuffer.graphs.get(digest) },
            targetSeq,
          ),
        );
      } catch (error) {
        const mayNeedMoreEvents =
          error instanceof MoreEventsNeeded || (error instanceof ReplayGap && error.code === 'differs');
        if (mayNeedMoreEvents && events.length >= lookahead && lookahead < MAX_LOOKAHEAD) continue;
        if (error instanceof ReplayGap) return error;
        return new ReplayGap('differs', first.seq, `Run event ${first.seq} (${first.type}) could not be replayed.`);
      }
    }
  }

  #addCheckpoint(checkpoint: TimelinePosition): void {
    if (checkpoint.seq >= (this.#checkpoints.at(-1)?.seq ?? 0) + CHECKPOINT_INTERVAL)
      this.#checkpoints.push({ ...checkpoint, steps: checkpoint.steps.copy() });
  }
}

function isNonEmpty(events: readonly RunEvent[]): events is readonly [RunEvent, ...RunEvent[]] {
  return events.length > 0;
}

/** Events after a position, read on demand, with the workflow versions that they refer to. */
class EventBuffer {
  readonly graphs = new Map<string, WorkflowGraph | undefined>();
  #events: RunEvent[] = [];
  #consumedCount = 0;
  #isComplete = false;

  constructor(
    public seq: number,
    private readonly sources: TimelineSources,
  ) {}

  /** Returns whether a number of events, or all remaining events, are loaded. */
  hasLoaded(count: number): boolean {
    return this.#isComplete || this.#events.length - this.#consumedCount >= count;
  }

  async load(count: number): Promise<void> {
    while (!this.hasLoaded(count)) await this.#readPage();
  }

  /** Returns the next events. */
  peek(count: number): readonly RunEvent[] {
    return this.#events.slice(this.#consumedCount, this.#consumedCount + count);
  }

  /** Returns the next events and moves past them. */
  consume(count: number): readonly RunEvent[] {
    const consumed = this.peek(count);
    this.#consumedCount += consumed.length;
    this.seq += consumed.length;
    return consumed;
  }

  async #readPage(): Promise<void> {
    this.#events = this.#events.slice(this.#consumedCount);
    this.#consumedCount = 0;
    const events = await this.sources.listEvents(this.seq + this.#events.length, PAGE_SIZE);
    if (events.length < PAGE_SIZE) this.#isComplete = true;
    for (const event of events) {
      const digest = findVersionChange(event)?.digest;
      if (digest !== undefined && !this.graphs.has(digest))
        this.graphs.set(digest, await this.sources.findGraph(digest));
    }
    this.#events.push(...events);
  }
}
