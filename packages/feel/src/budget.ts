import { FeelLimitError } from './errors.js';

/** Limits of one evaluation. They are counts, never times, so a replayed run meets the same limit at the same point. */
export interface FeelLimits {
  /**
   * Maximum work: loop iterations, function calls, and the elements and blocks of text that builtins read. Default
   * 100,000.
   */
  readonly steps: number;
  /**
   * Maximum number of elements and characters that the evaluation produces, including its result. Default 1,000,000.
   */
  readonly size: number;
  /** Maximum nesting depth of all active bodies of user-defined functions together. Default 1,000. */
  readonly depth: number;
}

export const DEFAULT_LIMITS: FeelLimits = Object.freeze({ steps: 100_000, size: 1_000_000, depth: 1_000 });

/** Limits for every expression. */
export const MAX_SOURCE_LENGTH = 65_536;
export const MAX_NESTING = 200;
export const MAX_VALUE_DEPTH = 500;
export const MAX_PATTERN_LENGTH = 1_000;

/** The source of variables, such as a `Map<string, unknown>`. Values are plain JSON; `undefined` means absent. */
export interface FeelScope {
  get(name: string): unknown;
}

/** Number of characters whose processing costs one step. */
const CHARACTERS_PER_STEP = 32;

/** State of one evaluation: the variables, the time, and the remaining budget. */
export class EvaluationState {
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

  /** Charges `count` steps of work to the budget. */
  chargeSteps(count: number): void {
    if ((this.stepsLeft -= count) < 0) throw this.createLimitError('steps');
  }

  /** Charges the steps for reading `length` characters. */
  chargeScan(length: number): void {
    if ((this.stepsLeft -= 1 + length / CHARACTERS_PER_STEP) < 0) throw this.createLimitError('steps');
  }

  /** Charges `count` elements or characters that are about to be produced. */
  chargeSize(count: number): void {
    if ((this.sizeLeft -= count) < 0) throw this.createLimitError('size');
  }

  /** Charges the nesting levels of the body of a user-defined function. `leave` releases them. */
  enter(levels: number): void {
    if ((this.depthLeft -= levels) < 0) throw this.createLimitError('depth');
  }

  leave(levels: number): void {
    this.depthLeft += levels;
  }

  /** Number of steps charged so far. */
  get stepsSpent(): number {
    return (this.limits?.steps ?? DEFAULT_LIMITS.steps) - this.stepsLeft;
  }

  createLimitError(limit: keyof FeelLimits): FeelLimitError {
    return new FeelLimitError(limit, this.limits?.[limit] ?? DEFAULT_LIMITS[limit]);
  }
}
