import type { DmnDecisionType } from '@countersign/model';
import type { AuditEntry, Page, PageRequest } from './records.js';

/** Stores the DMN decisions that business rule tasks evaluate. */
export interface DmnDecisionStore {
  /**
   * Stores all decisions of a file, or none. A file with the same bytes as an earlier one changes nothing; otherwise
   * each of its decisions gets its next version number.
   *
   * @returns the decisions of the file, in the given order
   */
  saveDecisions(
    deployment: DmnDeployment,
  ): Promise<{ readonly decisions: readonly DmnDecisionVersionRecord[]; readonly created: boolean }>;
  /** Returns a version, by default the newest one. */
  findDecisionVersion(decisionId: string, version?: number): Promise<DmnDecisionRecord | undefined>;
  /** Returns the newest version of each decision; decisions that are not deployed are missing. */
  findNewestDecisions(decisionIds: readonly string[]): Promise<ReadonlyMap<string, DmnDecisionVersionRecord>>;
  /** Returns the XML of the file with this digest. */
  findDecisionFile(digest: string): Promise<string | undefined>;
  /** Lists all versions, newest first. */
  listDecisionVersions(decisionId: string): Promise<readonly DmnDecisionVersionRecord[]>;
  /** Lists the newest version of each decision, most recently deployed first. */
  listDecisions(page: PageRequest): Promise<Page<DmnDecisionVersionRecord>>;
}

export interface DmnDeployment {
  /** `sha256:<hex>` of the DMN bytes. */
  readonly digest: string;
  readonly dmnXml: string;
  readonly decisions: readonly {
    readonly version: Omit<DmnDecisionVersionRecord, 'version'>;
    /** Recorded, with the version number, if a new version is created. */
    readonly audit: AuditEntry;
  }[];
}

export interface DmnDecisionVersionRecord {
  readonly decisionId: string;
  readonly version: number;
  /** `sha256:<hex>` of the DMN bytes. */
  readonly digest: string;
  readonly name: string;
  readonly decisionType: DmnDecisionType;
  /** Ids of the decisions in the same file whose results it reads. */
  readonly requiredDecisions: readonly string[];
  /** Id of the enclosing `definitions`. */
  readonly decisionRequirementsId: string;
  readonly deployedAt: number;
  readonly deployedBy: string;
}

/** A version with its file. */
export interface DmnDecisionRecord extends DmnDecisionVersionRecord {
  readonly dmnXml: string;
}

/** A version of a DMN decision that a command relied on; 0 if none was deployed. */
export interface DmnDecisionUse {
  readonly decisionId: string;
  readonly version: number;
}
