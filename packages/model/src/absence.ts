import type { NamedActor } from './principal.js';

/** An absence of a person, from `from` (inclusive) to `until` (exclusive), both in ms since the epoch. */
export interface Absence {
  /** Changes each time that the absence is set, so that an id always refers to the same absence. */
  readonly absenceId: string;
  /** Id of the absent person. */
  readonly subject: string;
  /** Known user names of the absent person, in lower case. Set only by `StoragePort.listCurrentAbsences`. */
  readonly subjectNames?: readonly string[];
  /** Id or user name of the substitute; `null`: the person is absent, but has no substitute. */
  readonly substitute: string | null;
  readonly from: number;
  readonly until: number;
  /** Id of the person who set the absence; undefined if the history does not record it. */
  readonly setBy?: string;
}

/** Returns the absent person with their known user names. */
export function toAbsentPerson({ subject, subjectNames }: Pick<Absence, 'subject' | 'subjectNames'>): NamedActor {
  return { id: subject, ...(subjectNames === undefined ? {} : { userNames: subjectNames }) };
}

/**
 * Returns whether the substitute set the absence of the other person. Such a substitute may not vote. New absences of
 * this kind are refused, but older ones may still be in force.
 */
export function isSelfAppointedSubstitute({
  subject,
  substitute,
  setBy,
}: Pick<Absence, 'subject' | 'substitute' | 'setBy'>): boolean {
  return substitute !== null && substitute === setBy && subject !== setBy;
}
