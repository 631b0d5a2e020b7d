import type { Named } from './principal.js';

/** The absence of a person: from `from` on, and at `until` no more (both in ms since the epoch). */
export interface Absence {
  /** Another one each time that it is set, so that it always means the same. */
  readonly absenceId: string;
  /** Id of the absent person. */
  readonly subject: string;
  /** Their user names as far as they are known, in lower case; with `absencesNow` alone. */
  readonly subjectNames?: readonly string[];
  /** Id or user name of who decides in their place meanwhile; `null`: nobody, it is only known that they are away. */
  readonly substitute: string | null;
  readonly from: number;
  readonly until: number;
  /** Id of whoever set it; absent where a history does not tell. */
  readonly setBy?: string;
}

/** The absent person, with the names that are known of them. */
export function absentPerson({ subject, subjectNames }: Pick<Absence, 'subject' | 'subjectNames'>): Named {
  return { id: subject, ...(subjectNames === undefined ? {} : { userNames: subjectNames }) };
}

/**
 * Whether the substitute took the place of another person by setting the absence themselves, which lets nobody decide.
 * New ones are refused; those that were set before this was refused may still be in force.
 */
export function isOwnSubstitute({
  subject,
  substitute,
  setBy,
}: Pick<Absence, 'subject' | 'substitute' | 'setBy'>): boolean {
  return substitute !== null && substitute === setBy && subject !== setBy;
}
