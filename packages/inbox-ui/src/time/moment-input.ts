import { parseLocalTime, toLocalTime, getUtcOffset } from '@countersign/contract';

/** Content of a field for a moment. */
export interface MomentInput {
  /** Value of the `datetime-local` input: a local time to the minute, or empty. */
  readonly text: string;
  /** Offset from UTC, in ms, of the chosen moment if the local time occurs twice. If omitted, the first one. */
  readonly offset?: number;
  /** Initial moment of the field, in ms since the epoch. */
  readonly given?: number;
}

export type EnteredMoment =
  | { readonly kind: 'empty' | 'invalid' }
  /** Clocks skip the local time; they continue at `next`. */
  | { readonly kind: 'skipped'; readonly next: number }
  /**
   * `choices` are the possible moments of the local time; `at` is one of them, or the given moment within its minute.
   * All in ms.
   */
  | { readonly kind: 'moment'; readonly at: number; readonly choices: readonly number[] };

export const EMPTY_MOMENT_INPUT: MomentInput = { text: '' };

/**
 * Returns a field that shows a moment.
 *
 * @param timestamp RFC 3339
 * @param zone IANA name; default: this machine's
 */
export function toMomentInput(timestamp: string, zone?: string): MomentInput {
  const at = Date.parse(timestamp);
  const input = { text: toLocalTime(at, zone), given: at };
  const localTime = parseLocalTime(input.text, zone);
  // Only a moment in a repeated hour determines the offset: a summer moment does not, if the user enters an hour in
  // autumn.
  const isAmbiguous = localTime.kind === 'moments' && localTime.moments.length > 1;
  return isAmbiguous ? { ...input, offset: getUtcOffset(at, zone) } : input;
}

/**
 * Returns the entered moment. A field that still shows the given moment means exactly that moment, with its seconds. Of
 * two possible moments, the first is used unless the other was given or chosen, as in calendars (RFC 5545, 3.3.5). A
 * skipped local time is refused: calendars shift it, but then users would not know when their absence ends.
 */
export function parseMomentInput({ text, offset, given }: MomentInput, zone?: string): EnteredMoment {
  if (text === '') return { kind: 'empty' };
  const localTime = parseLocalTime(text, zone);
  if (localTime.kind !== 'moments') return localTime;
  const { moments: choices } = localTime;
  const at = choices.find((each) => getUtcOffset(each, zone) === offset) ?? choices[0];
  const isInitialMoment =
    given !== undefined && text === toLocalTime(given, zone) && getUtcOffset(given, zone) === getUtcOffset(at, zone);
  return { kind: 'moment', at: isInitialMoment ? given : at, choices };
}

/** Returns whether a field that may be left empty can be sent. */
export function isMomentOrEmpty({ kind }: EnteredMoment): boolean {
  return kind === 'moment' || kind === 'empty';
}
