import { readLocalTime, toLocalTime, utcOffset } from '@countersign/contract';

/** What a person has entered in a field for a moment. */
export interface MomentInput {
  /** Of the input `datetime-local`: a local time to the minute, or empty. */
  readonly text: string;
  /** Which one is meant where the local time occurs twice: its offset from UTC, in ms. Left out: the first. */
  readonly offset?: number;
  /** The moment that the field began with, in ms since the epoch. */
  readonly given?: number;
}

export type EnteredMoment =
  | { readonly kind: 'empty' | 'invalid' }
  /** Clocks skip the local time, until `next`. */
  | { readonly kind: 'skipped'; readonly next: number }
  /** `choices` are the moments that the local time may mean, `at` is one of them or the given moment within its minute. All in ms. */
  | { readonly kind: 'moment'; readonly at: number; readonly choices: readonly number[] };

export const NO_MOMENT: MomentInput = { text: '' };

/** Returns a field that shows a moment. @param given RFC 3339. @param zone IANA name; left out: this machine's */
export function showMoment(given: string, zone?: string): MomentInput {
  const at = Date.parse(given);
  const input = { text: toLocalTime(at, zone), given: at };
  const meaning = readLocalTime(input.text, zone);
  // Only a moment in a doubled hour says which of two is meant: not one in summer, if an hour in autumn is entered.
  const isDoubled = meaning.kind === 'moments' && meaning.moments.length > 1;
  return isDoubled ? { ...input, offset: utcOffset(at, zone) } : input;
}

/**
 * Returns what is entered. A field that still shows the given moment means exactly that, with its seconds. Of two moments
 * it is the first unless the other was given or chosen, as calendars take it (RFC 5545, 3.3.5). A local time that does not
 * exist means nothing: calendars shift it, but who is away until then would not know until when.
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
