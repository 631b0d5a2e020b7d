import type { NamedActor } from '@countersign/model';
import type { AuditEntry, AuditRecord } from './records.js';

/** A stored text with the id of its record. Empty if it was erased. */
export interface StoredText {
  readonly id: string;
  readonly text: string;
}

/** Payloads that a run sent and received, outside its history. */
export interface RunPayloads {
  /** Bodies of notifications. */
  readonly deliveries: readonly StoredText[];
  /** Inbound events that reached the run, with their senders. */
  readonly inboundEvents: readonly StoredText[];
}

export interface RunsMentioningPerson {
  readonly runIds: readonly string[];
  /** The run after which the search continues; `null` if no run follows. */
  readonly searchedUpTo: string | null;
}

export interface ErasureOutsideRuns {
  /** The person, with the user names that no other person has, in lower case. */
  readonly person: Required<NamedActor>;
  /** Positions of the audit entries in the audit chain of the server. */
  readonly positions: readonly number[];
  /** Whether the user names are kept, because runs that have not ended still name the person. */
  readonly keepUserNames: boolean;
}

/** Erases personal data outside the commands of runs. */
export interface PersonalDataStore {
  findRunPayloads(runId: string): Promise<RunPayloads>;
  /**
   * Removes the private parts of audit entries of the server, and appends the entry that records it, in one
   * transaction.
   */
  eraseServerAudit(positions: readonly number[], entry: AuditEntry): Promise<void>;
  /**
   * Lists runs whose history, audit trail or row names a person, in the order of their ids. Reads a few runs at a time,
   * because it reads whole histories.
   *
   * @param person with user names in lower case
   * @param range.after the id of the run after which to continue; `null` to start
   */
  findRunsMentioning(
    person: Required<NamedActor>,
    range: { readonly after: string | null; readonly maxRuns: number; readonly maxFound: number },
  ): Promise<RunsMentioningPerson>;
  /** Lists the audit entries of the server that name a person, in order; those about runs are erased with the run. */
  findServerAuditMentioning(
    person: Required<NamedActor>,
  ): Promise<readonly Pick<AuditRecord, 'seq' | 'actor' | 'from' | 'data'>[]>;
  /**
   * Like {@link eraseServerAudit}, but also erases the other data about the person that the server stores outside runs:
   * names, groups, absences and deployments. Adds no entry if there is nothing to erase.
   */
  erasePersonOutsideRuns(erased: ErasureOutsideRuns, entry: AuditEntry): Promise<void>;
  /** Lists the erasures in the audit chain of the server after a position. */
  listServerErasures(after: number): Promise<readonly AuditRecord[]>;
}
