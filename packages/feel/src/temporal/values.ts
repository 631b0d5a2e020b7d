import { FeelValue } from '../values.js';
import {
  toCivilDate,
  DAY_MS,
  HOUR_MS,
  isInRange,
  MINUTE_MS,
  getZoneOffset,
  resolveLocalTime,
  SECOND_MS,
  getWeekday,
} from './calendar.js';

/** A date; `days` is the number of days since 1970-01-01. */
export class FeelDate extends FeelValue {
  readonly kind = 'date';

  constructor(readonly days: number) {
    super();
  }

  override getProperty(name: string): unknown {
    return getDateProperty(this.days, name);
  }
}

/**
 * A time of day, in milliseconds. `offset` is its offset from UTC in milliseconds, `zone` its named zone, if any. For a
 * local time, both are null.
 */
export class FeelTime extends FeelValue {
  readonly kind = 'time';

  constructor(
    readonly ms: number,
    readonly offset: number | null,
    readonly zone: string | null,
  ) {
    super();
  }

  /** Milliseconds of the day in UTC, or of the wall clock for a local time. */
  get comparable(): number {
    return this.ms - (this.offset ?? 0);
  }

  override getProperty(name: string): unknown {
    return getTimeProperty(this.ms, this.offset, this.zone, name);
  }
}

/** A date and time. `local` is the milliseconds since 1970 by the wall clock. */
export class FeelDateTime extends FeelValue {
  readonly kind = 'date and time';

  constructor(
    readonly local: number,
    readonly offset: number | null,
    readonly zone: string | null,
  ) {
    super();
  }

  /** Milliseconds since 1970 UTC, or of the wall clock for a local value. */
  get comparable(): number {
    return this.local - (this.offset ?? 0);
  }

  get days(): number {
    return Math.floor(this.local / DAY_MS);
  }

  get ms(): number {
    return this.local - this.days * DAY_MS;
  }

  override getProperty(name: string): unknown {
    return getDateProperty(this.days, name) ?? getTimeProperty(this.ms, this.offset, this.zone, name);
  }
}

/** A duration of days and time, in milliseconds. */
export class DaysTimeDuration extends FeelValue {
  readonly kind = 'days and time duration';

  constructor(readonly ms: number) {
    super();
  }

  override getProperty(name: string): unknown {
    switch (name) {
      case 'days':
        return Math.trunc(this.ms / DAY_MS) + 0;
      case 'hours':
        return Math.trunc((this.ms % DAY_MS) / HOUR_MS) + 0;
      case 'minutes':
        return Math.trunc((this.ms % HOUR_MS) / MINUTE_MS) + 0;
      case 'seconds':
        return Math.trunc((this.ms % MINUTE_MS) / SECOND_MS) + 0;
      default:
        return null;
    }
  }
}

/** A duration of years and months, in months. */
export class YearsMonthsDuration extends FeelValue {
  readonly kind = 'years and months duration';

  constructor(readonly months: number) {
    super();
  }

  override getProperty(name: string): unknown {
    switch (name) {
      case 'years':
        return Math.trunc(this.months / 12) + 0;
      case 'months':
        return (this.months % 12) + 0;
      default:
        return null;
    }
  }
}

/** Returns the date and time for wall-clock milliseconds in a named zone; null outside the representable range. */
export function toZonedDateTime(local: number, zone: string): FeelDateTime | null {
  if (!isInRange(local / DAY_MS)) return null;
  const resolved = resolveLocalTime(zone, local);
  return new FeelDateTime(resolved.local, resolved.offset, zone);
}

/** Returns the date and time of an instant (milliseconds since 1970 UTC) in a named zone. */
export function fromInstant(instant: number, zone: string): FeelDateTime {
  const offset = getZoneOffset(zone, instant);
  return new FeelDateTime(instant + offset, offset, zone);
}

function getDateProperty(days: number, name: string): number | null {
  switch (name) {
    case 'year':
      return toCivilDate(days).year;
    case 'month':
      return toCivilDate(days).month;
    case 'day':
      return toCivilDate(days).day;
    case 'weekday':
      return getWeekday(days);
    default:
      return null;
  }
}

function getTimeProperty(ms: number, offset: number | null, zone: string | null, name: string): unknown {
  switch (name) {
    case 'hour':
      return Math.floor(ms / HOUR_MS);
    case 'minute':
      return Math.floor((ms % HOUR_MS) / MINUTE_MS);
    case 'second':
      return Math.floor((ms % MINUTE_MS) / SECOND_MS);
    case 'time offset':
      return offset === null ? null : new DaysTimeDuration(offset);
    case 'timezone':
      return zone;
    default:
      return null;
  }
}
