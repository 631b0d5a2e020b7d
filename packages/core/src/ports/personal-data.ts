import type { Named } from '@countersign/model';
import type { AuditEntry, AuditRecord } from './records.js';

/** A stored text, by the id of what it belongs to. Empty where it has been erased. */
export interface StoredText {
  readonly id: string;
  readonly text: string;
}

/** What was told to others and what others told, beside the history of a run. */
export interface PayloadsOfRun {
  /** Bodies of notifications. */
  readonly deliveries: readonly StoredText[];
  /** Events of systems outside that reached the run, with who sent them. */
  readonly inboundEvents: readonly StoredText[];
}

export interface RunsNaming {
  readonly runIds: readonly string[];
  /** The last run that was looked at; `null` where no run is behind it. */
  readonly lookedUpTo: string | null;
}

export interface ErasedBesideRuns {
  /** With the user names that only they have, in lower case. */
  readonly person: Required<Named>;
  /** In the server's chain. */
  readonly positions: readonly number[];
  /** Whether their user names stay known, because runs that have not ended are still to be erased by them. */
  readonly keepsUserNames: boolean;
}

/** What an erasure needs that no command of a run does. */
export interface PersonalDataStore {
  payloadsOf(runId: string): Promise<PayloadsOfRun>;
  /** Takes the private parts of entries of the server's chain away, and adds the entry that tells of it, in one transaction. */
  eraseServerAudit(positions: readonly number[], entry: AuditEntry): Promise<void>;
  /**
   * Runs whose history, audit trail or row names a person, by their ids. Some runs at a time, as the whole history is read.
   *
   * @param person whose user names are in lower case
   * @param where.after the id of the run behind which to look; `null`: from the first
   */
  findRunsNaming(
    person: Required<Named>,
    where: { readonly after: string | null; readonly maxRuns: number; readonly maxFound: number },
  ): Promise<RunsNaming>;
  /** Entries of the server's chain that name a person, in its order; without those about runs, which go with the run. */
  findServerAuditHolding(
    person: Required<Named>,
  ): Promise<readonly Pick<AuditRecord, 'seq' | 'actor' | 'from' | 'data'>[]>;
  /**
   * As {@link eraseServerAudit}, together with what the server knows of the person beside runs: their name, absences, and that
   * they deployed. Where nothing is found, no entry is added.
   */
  erasePersonBesideRuns(erased: ErasedBesideRuns, entry: AuditEntry): Promise<void>;
  /** Entries of the server's chain behind a position that tell of erasures. */
  listServerErasures(after: number): Promise<readonly AuditRecord[]>;
}
