import { FeelLimitError } from './errors.js';

/** Bounds of one evaluation. Counts, never time: a replayed run meets the same bound at the same place. */
export interface FeelLimits {
  /** Work: loop rounds, function calls, elements and blocks of text that a builtin reads. Default 100,000. */
  readonly steps: number;
  /** Elements and characters that the evaluation produces, its result included. Default 1,000,000. */
  readonly size: number;
  /** Nesting of the bodies of user-defined functions that are active at one time. Default 1,000. */
  readonly depth: number;
}

export const DEFAULT_LIMITS: FeelLimits = Object.freeze({ steps: 100_000, size: 1_000_000, depth: 1_000 });

/** Bounds that hold for every expression. */
export const MAX_SOURCE = 65_536;
export const MAX_NESTING = 200;
export const MAX_VALUE_DEPTH = 500;
export const MAX_PATTERN = 1_000;

/** Where variables come from; a `Map<string, unknown>` fits. Values are plain JSON; `undefined` is absent. */
export interface FeelScope {
  get(name: string): unknown;
}

/** Characters of text that one step pays for. */
const CHARACTERS_PER_STEP = 32;

/** State of one evaluation: where names come from, the time, and what is left of the budget. */
export class Run {
  private stepsLeft: number;
  private sizeLeft: number;
  private depthLeft: number;

  constructor(
    readonly scope: FeelScope,
    readonly now: number,
    readonly zone: string,
    private readonly limits: Partial<FeelLimits> | undefined,
  ) {
    this.stepsLeft = limits?.steps ?? DEFAULT_LIMITS.steps;
    this.sizeLeft = limits?.size ?? DEFAULT_LIMITS.size;
    this.depthLeft = limits?.depth ?? DEFAULT_LIMITS.depth;
  }

  /** Pays for `count` steps of work. */
  step(count: number): void {
    if ((this.stepsLeft -= count) < 0) throw this.exceeded('steps');
  }

  /** Pays for reading `length` characters. */
  scan(length: number): void {
    if ((this.stepsLeft -= 1 + length / CHARACTERS_PER_STEP) < 0) throw this.exceeded('steps');
  }

  /** Pays for `count` elements or characters about to be produced. */
  grow(count: number): void {
    if ((this.sizeLeft -= count) < 0) throw this.exceeded('size');
  }

  /** Enters the body of a user-defined function whose nesting is `levels`; `leave` gives it back. */
  enter(levels: number): void {
    if ((this.depthLeft -= levels) < 0) throw this.exceeded('depth');
  }

  leave(levels: number): void {
    this.depthLeft += levels;
  }

  /** Steps paid for so far. */
  get spent(): number {
    return (this.limits?.steps ?? DEFAULT_LIMITS.steps) - this.stepsLeft;
  }

  exceeded(limit: keyof FeelLimits): FeelLimitError {
    return new FeelLimitError(limit, this.limits?.[limit] ?? DEFAULT_LIMITS[limit]);
  }
}
