import { DEFAULT_LIMITS, MAX_NESTING, Run } from './budget.js';
import type { FeelContext } from './compile-expression.js';
import { equals } from './equality.js';
import { FeelLimitError, isStackOverflow } from './errors.js';
import { restoreDecimals } from './numbers/decimal.js';
import { isZone } from './temporal/calendar.js';
import { toJson } from './to-json.js';
import { kindOf, type FeelKind, type Json } from './values.js';

/**
 * One time and one budget for as many expressions as belong together: those of a decision, say. What one of them gives
 * may be what another one reads, as the FEEL value that it is. After its end, `context.meter` has what it cost.
 */
export class FeelEvaluation {
  /** Its state, for the compiled code alone. */
  readonly run: Run;

  constructor(readonly context: FeelContext) {
    const { variables, now, zone = 'UTC', limits } = context;
    if (zone !== 'UTC' && !isZone(zone)) throw new RangeError(`Unknown time zone: ${zone}`);
    this.run = new Run(variables, now, zone, limits);
  }

  /** A FEEL value as JSON, paid for by its size: as a part of a larger result, since it may be one of many. */
  toJson(value: unknown): Json {
    return guarded(() => toJson(this.run, value, 1), this.context);
  }

  /** The same for a record of what was computed: a number that JSON cannot hold exactly is given as text. */
  toRecord(value: unknown): Json {
    return guarded(() => toJson(this.run, value, 1, 'text'), this.context);
  }

  /** Whether FEEL's `=` says true. */
  equal(left: unknown, right: unknown): boolean {
    return guarded(() => equals(this.run, left, right) === true, this.context);
  }

  kindOf(value: unknown): FeelKind {
    return kindOf(value);
  }

  end(): void {
    if (this.context.meter !== undefined) this.context.meter.steps += this.run.spent;
  }
}

/** The last net: a stack that overflows all the same (the caller may be deep) is a bound that was exceeded. */
export function guarded<T>(work: () => T, context?: FeelContext): T {
  try {
    return work();
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    restoreDecimals();
    throw context
      ? new FeelLimitError('depth', context.limits?.depth ?? DEFAULT_LIMITS.depth)
      : new FeelLimitError('nesting', MAX_NESTING);
  }
}
