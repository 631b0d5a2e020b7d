import { setImmediate } from 'node:timers/promises';
import { inTurns, type RunEvent, type WorkflowGraph } from '@countersign/model';
import {
  MoreEventsNeeded,
  replayCommand,
  type ReplayedMoment,
  ReplayGap,
  type ReplayPosition,
  type RunFacts,
  type Taken,
} from '@countersign/interpreter';
import { StepProjection } from '../project-steps.js';
import { NO_FACTS, withFactsOf, type HistorySummary } from './history-summary.js';

const PAGE = 1_000;
/**
 * Number of events in which the end of a command is searched, initially and at most; a command may enter 10,000
 * elements.
 */
const FEW_AHEAD = 32;
const MAX_AHEAD = 32_000;
/** Minimum number of events between two positions from which a replay can continue. */
const STRIDE = 500;
/** Maximum number of events that are replayed. */
const MAX_REPLAYED = 100_000;
/** Maximum time that a replay blocks the event loop, in ms. */
const SLICE_MS = 15;

/** A run just after one of its events. */
export interface RunAtEvent {
  readonly event: RunEvent;
  readonly steps: StepProjection;
  readonly facts: HistorySummary;
  /** Replayed state; `undefined` after a gap. */
  readonly replayed: ReplayedMoment | undefined;
  readonly gap: ReplayGap | undefined;
}

/** Immutable position between two commands. */
interface Place {
  readonly seq: number;
  readonly steps: StepProjection;
  readonly facts: HistorySummary;
  readonly position: ReplayPosition | null;
  readonly gap: ReplayGap | undefined;
}

export interface TimelineSources {
  readonly run: RunFacts;
  events(after: number, limit: number): Promise<readonly RunEvent[]>;
  /** Returns the graph of a version, or `undefined` if the version is missing. */
  graph(digest: string): Promise<WorkflowGraph | undefined>;
}

/** History of a run that is replayed once. Stored positions let a replay continue to any event near them. */
export class RunTimeline {
  readonly #places: Place[] = [
    { seq: 0, steps: new StepProjection(), facts: NO_FACTS, position: null, gap: undefined },
  ];
  #last: Promise<unknown> = Promise.resolve();

  /** Approximate size in characters, for cache limits. */
  get weight(): number {
    return this.#places.reduce(
      (sum, { steps }) => sum + 1_000 + steps.count * 100,
      this.#places.at(-1)?.steps.weight ?? 0,
    );
  }

  /** Returns the run at an event. Calls run sequentially, so that concurrent calls share the replay. */
  at(seq: number, sources: TimelineSources): Promise<RunAtEvent> {
    const moment = this.#last.then(() => this.#goTo(seq, sources));
    this.#last = moment.catch(() => undefined);
    return moment;
  }

  async #goTo(seq: number, sources: TimelineSources): Promise<RunAtEvent> {
    const from = this.#places.findLast((place) => place.seq < seq) ?? this.#places[0];
    if (from === undefined) throw new Error('a timeline has a beginning');
    const ahead = new EventsAhead(from.seq, sources);
    const steps = from.steps.copy();
    let { facts, position, gap } = from;
    let since = performance.now();
    for (;;) {
      const taken = gap === undefined ? await this.#take(position, ahead, sources, seq) : undefined;
      if (taken instanceof ReplayGap) gap = taken;
      const reached =
        taken === undefined || taken instanceof ReplayGap ? Math.min(seq, ahead.seq + PAGE) : taken.position.seq;
      const count = Math.min(reached, seq) - ahead.seq;
      if (!ahead.has(count)) await ahead.load(count);
      const passed = ahead.pass(count);
      await inTurns(steps.foldInPieces(passed));
      facts = passed.reduce(withFactsOf, facts);
      if (!(taken === undefined || taken instanceof ReplayGap)) position = taken.position;
      if (reached >= seq) {
        const event = passed.at(-1);
        if (event?.seq !== seq) throw new Error(`Run ${sources.run.runId} has no event ${seq}.`);
        return {
          event,
          steps,
          facts,
          replayed: taken === undefined || taken instanceof ReplayGap ? undefined : taken.moment,
          gap,
        };
      }
      this.#note({ seq: reached, steps, facts, position, gap });
      if (performance.now() - since > SLICE_MS) {
        await setImmediate();
        since = performance.now();
      }
    }
  }

  /** Replays the next command, with more and more events until they suffice to replay it. */
  async #take(
    position: ReplayPosition | null,
    ahead: EventsAhead,
    sources: TimelineSources,
    at: number,
  ): Promise<Taken | ReplayGap> {
    if (ahead.seq >= MAX_REPLAYED)
      return new ReplayGap('too_long', ahead.seq + 1, `At most ${MAX_REPLAYED} events of a run are replayed.`);
    for (let wanted = FEW_AHEAD; ; wanted *= 10) {
      if (!ahead.has(wanted)) await ahead.load(wanted);
      const events = ahead.see(wanted);
      if (!isAhead(events)) throw new Error(`Run ${sources.run.runId} has no event ${ahead.seq + 1}.`);
      const [first] = events;
      try {
        return await inTurns(
          replayCommand(position, events, { facts: sources.run, graphOf: (digest) => ahead.graphs.get(digest) }, at),
        );
      } catch (error) {
        const mayNeedMore =
          error instanceof MoreEventsNeeded || (error instanceof ReplayGap && error.code === 'differs');
        if (mayNeedMore && events.length >= wanted && wanted < MAX_AHEAD) continue;
        if (error instanceof ReplayGap) return error;
        return new ReplayGap('differs', first.seq, `Run event ${first.seq} (${first.type}) could not be replayed.`);
      }
    }
  }

  #note(place: Place): void {
    if (place.seq >= (this.#places.at(-1)?.seq ?? 0) + STRIDE)
      this.#places.push({ ...place, steps: place.steps.copy() });
  }
}

function isAhead(events: readonly RunEvent[]): events is readonly [RunEvent, ...RunEvent[]] {
  return events.length > 0;
}

/** Events after a position, read on demand, with the workflow versions that they refer to. */
class EventsAhead {
  readonly graphs = new Map<string, WorkflowGraph | undefined>();
  #events: RunEvent[] = [];
  #passed = 0;
  #isAll = false;

  constructor(
    public seq: number,
    private readonly sources: TimelineSources,
  ) {}

  /** Returns whether a number of events, or all remaining events, are loaded. */
  has(count: number): boolean {
    return this.#isAll || this.#events.length - this.#passed >= count;
  }

  async load(count: number): Promise<void> {
    while (!this.has(count)) await this.#read();
  }

  /** Returns the next events. */
  see(count: number): readonly RunEvent[] {
    return this.#events.slice(this.#passed, this.#passed + count);
  }

  /** Returns the next events and moves past them. */
  pass(count: number): readonly RunEvent[] {
    const passed = this.see(count);
    this.#passed += passed.length;
    this.seq += passed.length;
    return passed;
  }

  async #read(): Promise<void> {
    this.#events = this.#events.slice(this.#passed);
    this.#passed = 0;
    const events = await this.sources.events(this.seq + this.#events.length, PAGE);
    if (events.length < PAGE) this.#isAll = true;
    for (const { type, data } of events) {
      const digest =
        type === 'run.started' ? data['workflowDigest'] : type === 'run.migrated' ? data['toDigest'] : undefined;
      if (typeof digest === 'string' && !this.graphs.has(digest))
        this.graphs.set(digest, await this.sources.graph(digest));
    }
    this.#events.push(...events);
  }
}
