import { FeelValue } from '../values.js';
import { civilOf, DAY, HOUR, inRange, MINUTE, offsetAt, resolveLocal, SECOND, weekdayOf } from './calendar.js';

/** A date; `days` counts from 1970-01-01. */
export class FeelDate extends FeelValue {
  readonly kind = 'date';

  constructor(readonly days: number) {
    super();
  }

  override property(name: string): unknown {
    return dateProperty(this.days, name);
  }
}

/** A time of day, in milliseconds, with an offset (milliseconds) or a named zone, or neither. */
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

  override property(name: string): unknown {
    return timeProperty(this.ms, this.offset, this.zone, name);
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
    return Math.floor(this.local / DAY);
  }

  get ms(): number {
    return this.local - this.days * DAY;
  }

  override property(name: string): unknown {
    return dateProperty(this.days, name) ?? timeProperty(this.ms, this.offset, this.zone, name);
  }
}

/** A duration of days and time, in milliseconds. */
export class DaysTimeDuration extends FeelValue {
  readonly kind = 'days and time duration';

  constructor(readonly ms: number) {
    super();
  }

  override property(name: string): unknown {
    switch (name) {
      case 'days':
        return Math.trunc(this.ms / DAY) + 0;
      case 'hours':
        return Math.trunc((this.ms % DAY) / HOUR) + 0;
      case 'minutes':
        return Math.trunc((this.ms % HOUR) / MINUTE) + 0;
      case 'seconds':
        return Math.trunc((this.ms % MINUTE) / SECOND) + 0;
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

  override property(name: string): unknown {
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
export function inZone(local: number, zone: string): FeelDateTime | null {
  if (!inRange(local / DAY)) return null;
  const resolved = resolveLocal(zone, local);
  return new FeelDateTime(resolved.local, resolved.offset, zone);
}

/** Returns the date and time of an instant (milliseconds since 1970 UTC) in a named zone. */
export function atInstant(instant: number, zone: string): FeelDateTime {
  const offset = offsetAt(zone, instant);
  return new FeelDateTime(instant + offset, offset, zone);
}

function dateProperty(days: number, name: string): number | null {
  switch (name) {
    case 'year':
      return civilOf(days).year;
    case 'month':
      return civilOf(days).month;
    case 'day':
      return civilOf(days).day;
    case 'weekday':
      return weekdayOf(days);
    default:
      return null;
  }
}

function timeProperty(ms: number, offset: number | null, zone: string | null, name: string): unknown {
  switch (name) {
    case 'hour':
      return Math.floor(ms / HOUR);
    case 'minute':
      return Math.floor((ms % HOUR) / MINUTE);
    case 'second':
      return Math.floor((ms % MINUTE) / SECOND);
    case 'time offset':
      return offset === null ? null : new DaysTimeDuration(offset);
    case 'timezone':
      return zone;
    default:
      return null;
  }
}
