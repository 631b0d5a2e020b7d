import type { Absence, AuditEntry } from '@countersign/model';
import type { Page, PageRequest } from './records.js';

/**
 * Who is away, or is going to be: at most one absence for a person. What is over is not found any more; all that here
 * depends on the time goes by the clock of the database, which all servers share. Each change is written with its audit
 * entry, whose target gets the id of the absence. A vote in the place of an absent approver is up to `RunWrite.absencesUsed`.
 */
export interface AbsenceStore {
  /**
   * Takes the place of the one that there may be of the same person, or under the same user name.
   *
   * @returns it, or `undefined` where its subject may mean somebody else: then nothing is written
   */
  setAbsence(absence: AbsenceToSet, audit: AuditEntry): Promise<AbsenceRecord | undefined>;
  /**
   * @param subject an id, or the user name under which an absence waits for a sign-in
   * @returns whether there was one. From then on no vote is written that relies on it.
   */
  endAbsence(subject: string, audit: AuditEntry): Promise<boolean>;
  /** That of a person. @param subject their id */
  findAbsence(subject: string): Promise<AbsenceRecord | undefined>;
  /**
   * Those in force at this moment, of these people or with one of them as the substitute: ids and user names, whose case
   * does not count here, so that the caller has to look at what it gets (`isCalled`). Without those that wait for a sign-in, and
   * those of somebody whose id is the user name of another person.
   */
  absencesNow(
    of: { readonly subjects: readonly string[] } | { readonly substitutes: readonly string[] },
  ): Promise<readonly Absence[]>;
  /** In the order of the subjects. @throws {ApiError} `invalid_cursor` */
  listAbsences(page: PageRequest): Promise<Page<AbsenceRecord>>;
}

export interface AbsenceRecord extends Absence {
  /** Milliseconds since the epoch. */
  readonly setAt: number;
  /** Id of who set it: the person, or an administrator. */
  readonly setBy: string;
  /**
   * Somebody else has set it, and nobody is known by `subject`, which may be a user name as people have some. Until somebody
   * signs in by it, nobody decides in their place.
   */
  readonly awaitsSignIn: boolean;
}

/** Whether it waits for a sign-in depends on who is known at the time. */
export type AbsenceToSet = Omit<AbsenceRecord, 'awaitsSignIn'>;
