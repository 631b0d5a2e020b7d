import { Cron } from 'croner';

/**
 * Returns the first time after a given time at which a cron expression is due, or `undefined` if it is never due again.
 */
export type CronSchedule = (afterMs: number) => number | undefined;

const MACROS: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

const MONTH = '(?:\\d{1,2}|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)';
const DAY = '(?:[0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)';
const STEP = '(?:/\\d{1,2})';

/** Returns a pattern for `item`, or several items separated by commas. */
function listPattern(item: string): RegExp {
  return new RegExp(`^(?:${item})(?:,(?:${item}))*$`, 'i');
}

function rangePattern(value: string): string {
  return `\\*${STEP}?|${value}${STEP}?|${value}-${value}${STEP}?`;
}

/**
 * Patterns of the fields: second, minute, hour, day of the month, month, day of the week. They reject syntax that
 * croner accepts and Zeebe does not (a year, `+`, a date and time, several modifiers together), and a step after a
 * single day of the week, which croner and Zeebe interpret differently.
 */
const FIELD_PATTERNS: readonly RegExp[] = [
  listPattern(rangePattern('\\d{1,2}')),
  listPattern(rangePattern('\\d{1,2}')),
  listPattern(rangePattern('\\d{1,2}')),
  listPattern(`${rangePattern('\\d{1,2}')}|\\?|L|LW|\\d{1,2}W`),
  listPattern(rangePattern(MONTH)),
  listPattern(`\\*${STEP}?|${DAY}|${DAY}-${DAY}${STEP}?|\\?|${DAY}L|${DAY}#[1-5]`),
];

/**
 * Parses a cron expression as Zeebe 8.6 does (`CronTimer`: cron-utils' `SPRING53`, which is Spring's `CronExpression`):
 * six fields, starting with the second, or a macro such as `@daily`. Unlike in Unix cron, a day must match both day
 * fields. In addition, five fields are accepted as in crontabs (the second is then 0). All times are in UTC, since a
 * run must not depend on the location of a server.
 *
 * @returns `undefined` if the text is not a cron expression, or is never due
 */
export function parseCron(text: string): CronSchedule | undefined {
  const fields = text.trim().split(/\s+/);
  if (fields.length === 5) fields.unshift('0');
  const [first = ''] = fields;
  const isValid =
    (fields.length === 1 && MACROS.has(first)) ||
    (fields.length === 6 && fields.every((field, index) => FIELD_PATTERNS[index]?.test(field) === true));
  if (!isValid) return undefined;
  const cron = tryParse(fields.join(' '));
  if (cron === undefined) return undefined;
  const next = (afterMs: number): number | undefined => cron.nextRun(new Date(afterMs))?.getTime();
  return next(0) === undefined ? undefined : next;
}

function tryParse(pattern: string): Cron | undefined {
  try {
    // Without a function nothing is scheduled: croner only parses.
    return new Cron(pattern, { utcOffset: 0, domAndDow: true, sloppyRanges: true });
  } catch {
    return undefined;
  }
}
