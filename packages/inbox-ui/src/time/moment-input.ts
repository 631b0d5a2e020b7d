import { parseLocalTime, toLocalTime, getUtcOffset } from '@countersign/contract';

/** Content of a date and time field. */
export interface MomentInput {
  /** Value of the `datetime-local` input: a local time to the minute, or empty. */
  readonly text: string;
  /** UTC offset, in ms, of the chosen moment if the local time occurs twice; if omitted, the first moment is chosen. */
  readonly offset?: number;
  /** Initial moment of the field, in ms since the epoch. */
  readonly initialMoment?: number;
}

export type EnteredMoment =
  | { readonly kind: 'empty' | 'invalid' }
  /** The local time does not exist, because clocks were put forward; `next` is the first moment after the gap. */
  | { readonly kind: 'skipped'; readonly next: number }
  /**
   * `possibleMoments` are the moments that have this local time; `at` is one of them, or the initial moment if it is
   * within the entered minute. All in ms since the epoch.
   */
  | { readonly kind: 'moment'; readonly at: number; readonly possibleMoments: readonly number[] };

export const EMPTY_MOMENT_INPUT: MomentInput = { text: '' };

/**
 * Returns the content of a date and time field for a moment.
 *
 * @param timestamp the moment, in the format of RFC 3339
 * @param zone IANA time zone; default: the time zone of this machine
 */
export function toMomentInput(timestamp: string, zone?: string): MomentInput {
  const at = Date.parse(timestamp);
  const input = { text: toLocalTime(at, zone), initialMoment: at };
  const localTime = parseLocalTime(input.text, zone);
  // Keeps the offset only for a moment in a repeated hour. The offset of another moment, for example in summer, must
  // not determine which moment is meant if the user then enters a repeated hour in autumn.
  const isAmbiguous = localTime.kind === 'moments' && localTime.moments.length > 1;
  return isAmbiguous ? { ...input, offset: getUtcOffset(at, zone) } : input;
}

/**
 * Returns the entered moment. If the field still shows the initial moment, returns exactly that moment, with its
 * seconds. Of two possible moments, the first is used unless the other is the initial or the chosen one, as in
 * calendars (RFC 5545, 3.3.5). Refuses a skipped local time. Calendars shift it, but then users would not know when
 * their absence ends.
 */
export function parseMomentInput({ text, offset, initialMoment }: MomentInput, zone?: string): EnteredMoment {
  if (text === '') return { kind: 'empty' };
  const localTime = parseLocalTime(text, zone);
  if (localTime.kind !== 'moments') return localTime;
  const { moments: possibleMoments } = localTime;
  const at = possibleMoments.find((each) => getUtcOffset(each, zone) === offset) ?? possibleMoments[0];
  const isInitialMoment =
    initialMoment !== undefined &&
    text === toLocalTime(initialMoment, zone) &&
    getUtcOffset(initialMoment, zone) === getUtcOffset(at, zone);
  return { kind: 'moment', at: isInitialMoment ? initialMoment : at, possibleMoments };
}

/** Returns whether a field that may be left empty can be sent. */
export function isMomentOrEmpty({ kind }: EnteredMoment): boolean {
  return kind === 'moment' || kind === 'empty';
}
