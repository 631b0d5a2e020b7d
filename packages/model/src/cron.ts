import { Cron } from 'croner';

/** When a cron expression is due: the first moment behind the given one, or `undefined` where there is none any more. */
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

/** `item` or several, separated by commas. */
function listOf(item: string): RegExp {
  return new RegExp(`^(?:${item})(?:,(?:${item}))*$`, 'i');
}

function rangesOf(value: string): string {
  return `\\*${STEP}?|${value}${STEP}?|${value}-${value}${STEP}?`;
}

/**
 * Second, minute, hour, day of the month, month, day of the week. What croner would read and Zeebe would not (a year, `+`,
 * a moment, several modifiers at once) is none; nor is a step from one day of the week, which the two read differently.
 */
const FIELDS: readonly RegExp[] = [
  listOf(rangesOf('\\d{1,2}')),
  listOf(rangesOf('\\d{1,2}')),
  listOf(rangesOf('\\d{1,2}')),
  listOf(`${rangesOf('\\d{1,2}')}|\\?|L|LW|\\d{1,2}W`),
  listOf(rangesOf(MONTH)),
  listOf(`\\*${STEP}?|${DAY}|${DAY}-${DAY}${STEP}?|\\?|${DAY}L|${DAY}#[1-5]`),
];

/**
 * Reads a cron expression as Zeebe 8.6 does (`CronTimer`: cron-utils' `SPRING53`, which is Spring's `CronExpression`): six
 * fields from the second on, or a macro such as `@daily`. A day has to fit both of its fields, unlike in Unix. Besides,
 * five fields (without the second, which is 0 then) are read, as crontabs have them. The times are those of UTC, since a
 * run must not depend on where a server stands. `undefined` where the text is none, or is never due.
 */
export function parseCron(text: string): CronSchedule | undefined {
  const fields = text.trim().split(/\s+/);
  if (fields.length === 5) fields.unshift('0');
  const [first = ''] = fields;
  const valid =
    (fields.length === 1 && MACROS.has(first)) ||
    (fields.length === 6 && fields.every((field, index) => FIELDS[index]?.test(field) === true));
  if (!valid) return undefined;
  const cron = read(fields.join(' '));
  if (cron === undefined) return undefined;
  const next = (afterMs: number): number | undefined => cron.nextRun(new Date(afterMs))?.getTime();
  return next(0) === undefined ? undefined : next;
}

function read(pattern: string): Cron | undefined {
  try {
    // Without a function there is nothing to schedule: this only reads.
    return new Cron(pattern, { utcOffset: 0, domAndDow: true, sloppyRanges: true });
  } catch {
    return undefined;
  }
}
