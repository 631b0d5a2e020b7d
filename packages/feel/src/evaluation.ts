import { DEFAULT_LIMITS, MAX_NESTING, EvaluationState } from './budget.js';
import type { FeelContext } from './compile-expression.js';
import { equals } from './equality.js';
import { FeelLimitError, isStackOverflow } from './errors.js';
import { repairDecimalLibrary } from './numbers/decimal.js';
import { isValidZone } from './temporal/calendar.js';
import { toJson } from './to-json.js';
import { getKind, type FeelKind, type Json } from './values.js';

/**
 * Evaluation of several expressions that belong together, such as those of a DMN decision, with one time and one
 * budget. One expression may read the result of another as a FEEL value. After `recordSteps()`, `context.meter`
 * contains the cost.
 */
export class FeelEvaluation {
  /** State of the evaluation, only for the compiled code. */
  readonly state: EvaluationState;

  constructor(readonly context: FeelContext) {
    const { variables, now, zone = 'UTC', limits } = context;
    if (zone !== 'UTC' && !isValidZone(zone)) throw new RangeError(`Unknown time zone: ${zone}`);
    this.state = new EvaluationState(variables, now, zone, limits);
  }

  /**
   * Converts a FEEL value to JSON. The budget is also charged for the length of a string, because the value may be one
   * of many.
   */
  toJson(value: unknown): Json {
    return guardStackOverflow(() => toJson(this.state, value, 1), this.context);
  }

  /**
   * Converts a FEEL value to JSON for a record of the evaluation: a number that JSON cannot represent exactly becomes a
   * string.
   */
  toRecord(value: unknown): Json {
    return guardStackOverflow(() => toJson(this.state, value, 1, 'text'), this.context);
  }

  /** Returns whether two values are equal by FEEL's `=`. */
  equal(left: unknown, right: unknown): boolean {
    return guardStackOverflow(() => equals(this.state, left, right) === true, this.context);
  }

  getKind(value: unknown): FeelKind {
    return getKind(value);
  }

  recordSteps(): void {
    if (this.context.meter !== undefined) this.context.meter.steps += this.state.stepsSpent;
  }
}

/**
 * Runs `work` and converts a stack overflow to a `FeelLimitError`, as a last resort: the stack of the caller may
 * already be deep.
 */
export function guardStackOverflow<T>(work: () => T, context?: FeelContext): T {
  try {
    return work();
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    repairDecimalLibrary();
    throw context
      ? new FeelLimitError('depth', context.limits?.depth ?? DEFAULT_LIMITS.depth)
      : new FeelLimitError('nesting', MAX_NESTING);
  }
}
