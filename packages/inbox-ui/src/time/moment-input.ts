import { readLocalTime, toLocalTime, utcOffset } from '@countersign/contract';

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

export const NO_MOMENT: MomentInput = { text: '' };

/**
 * Returns a field that shows a moment.
 *
 * @param given RFC 3339
 * @param zone IANA name; default: this machine's
 */
export function showMoment(given: string, zone?: string): MomentInput {
  const at = Date.parse(given);
  const input = { text: toLocalTime(at, zone), given: at };
  const meaning = readLocalTime(input.text, zone);
  // Only a moment in a repeated hour determines the offset: a summer moment does not, if the user enters an hour in
  // autumn.
  const isDoubled = meaning.kind === 'moments' && meaning.moments.length > 1;
  return isDoubled ? { ...input, offset: utcOffset(at, zone) } : input;
}

/**
 * Returns the entered moment. A field that still shows the given moment means exactly that moment, with its seconds. Of
 * two possible moments, the first is used unless the other was given or chosen, as in calendars (RFC 5545, 3.3.5). A
 * skipped local time is refused: calendars shift it, but then users would not know when their absence ends.
 */
export function readMoment({ text, offset, given }: MomentInput, zone?: string): EnteredMoment {
  if (text === '') return { kind: 'empty' };
  const meaning = readLocalTime(text, zone);
  if (meaning.kind !== 'moments') return meaning;
  const { moments: choices } = meaning;
  const at = choices.find((each) => utcOffset(each, zone) === offset) ?? choices[0];
  const isGiven =
    given !== undefined && text === toLocalTime(given, zone) && utcOffset(given, zone) === utcOffset(at, zone);
  return { kind: 'moment', at: isGiven ? given : at, choices };
}

/** Returns whether a field that may be left empty can be sent. */
export function isOptionalMoment({ kind }: EnteredMoment): boolean {
  return kind === 'moment' || kind === 'empty';
}
