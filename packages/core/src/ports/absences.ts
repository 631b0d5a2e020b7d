import type { Absence, AuditEntry } from '@countersign/model';
import type { Page, PageRequest } from './records.js';

/**
 * Stores absences, at most one per person. Expired absences are not returned. All times are those of the database
 * clock, which all servers share. Each change is written with its audit entry, whose target gets the id of the absence.
 * `RunWrite.requiredAbsences` covers votes of substitutes.
 */
export interface AbsenceStore {
  /**
   * Stores an absence in place of an existing one of the same person or under the same user name.
   *
   * @returns the absence; `undefined` if its subject is ambiguous, in which case nothing is written
   */
  setAbsence(absence: NewAbsence, audit: AuditEntry): Promise<AbsenceRecord | undefined>;
  /**
   * Ends an absence. From then on, no vote that relies on it is committed.
   *
   * @param subject an id, or the user name under which an absence waits for a sign-in
   * @returns whether there was an absence
   */
  endAbsence(subject: string, audit: AuditEntry): Promise<boolean>;
  /** Returns the absence of a person. @param subject the id of the person */
  findAbsence(subject: string): Promise<AbsenceRecord | undefined>;
  /**
   * Returns the current absences of the given people and those with one of them as the substitute. People are
   * identified by id or user name in any letter case, so the caller must check the result (`matchesName`). The result
   * excludes absences that wait for a sign-in, and absences of a person whose id is the user name of another person.
   */
  listCurrentAbsences(
    filter: { readonly subjects: readonly string[] } | { readonly substitutes: readonly string[] },
  ): Promise<readonly Absence[]>;
  /** Lists absences in the order of their subjects. @throws {ApiError} `invalid_cursor` */
  listAbsences(page: PageRequest): Promise<Page<AbsenceRecord>>;
}

export interface AbsenceRecord extends Absence {
  /** Milliseconds since the epoch. */
  readonly setAt: number;
  /** Id of the person or administrator who set it. */
  readonly setBy: string;
  /**
   * Whether another user set it for a subject that is not known yet, for example a user name. Until someone signs in
   * with that name, the substitute cannot vote.
   */
  readonly awaitsSignIn: boolean;
}

/** An absence as it is stored. Whether it waits for a sign-in depends on who has signed in so far. */
export type NewAbsence = Omit<AbsenceRecord, 'awaitsSignIn'>;
