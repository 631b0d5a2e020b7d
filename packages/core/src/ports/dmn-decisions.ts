import type { DecisionType } from '@countersign/model';
import type { AuditEntry, Page, PageRequest } from './records.js';

/** The DMN decisions that business rule tasks evaluate. */
export interface DmnDecisionStore {
  /**
   * Stores all decisions of a file, all or none. Bytes that were stored before change nothing; others give each decision
   * of theirs its next number.
   *
   * @returns the decisions of the file, in the order in which they are given
   */
  saveDecisions(
    deployment: DmnDeployment,
  ): Promise<{ readonly decisions: readonly DmnDecisionVersionRecord[]; readonly created: boolean }>;
  /** A version, the newest one by default. */
  findDecisionVersion(decisionId: string, version?: number): Promise<DmnDecisionRecord | undefined>;
  /** The newest version of each; those that are not deployed are missing. */
  findNewestDecisions(decisionIds: readonly string[]): Promise<ReadonlyMap<string, DmnDecisionVersionRecord>>;
  /** The XML of the file with a digest. */
  findDecisionFile(digest: string): Promise<string | undefined>;
  /** Newest first. */
  listDecisionVersions(decisionId: string): Promise<readonly DmnDecisionVersionRecord[]>;
  /** The newest version of each decision, the one deployed last first. */
  listDecisions(page: PageRequest): Promise<Page<DmnDecisionVersionRecord>>;
}

export interface DmnDeployment {
  /** `sha256:<hex>` of the DMN bytes. */
  readonly digest: string;
  readonly dmnXml: string;
  readonly decisions: readonly {
    readonly version: Omit<DmnDecisionVersionRecord, 'version'>;
    /** Written (with the number) where a version comes to be. */
    readonly audit: AuditEntry;
  }[];
}

export interface DmnDecisionVersionRecord {
  readonly decisionId: string;
  readonly version: number;
  /** `sha256:<hex>` of the DMN bytes. */
  readonly digest: string;
  readonly name: string;
  readonly decisionType: DecisionType;
  /** Ids of the decisions whose results it reads. They are those of the same file. */
  readonly requiredDecisions: readonly string[];
  /** The id of the `definitions` that it stands in. */
  readonly decisionRequirementsId: string;
  readonly deployedAt: number;
  readonly deployedBy: string;
}

/** A version with its file. */
export interface DmnDecisionRecord extends DmnDecisionVersionRecord {
  readonly dmnXml: string;
}

/** A version of a decision that a command has relied on; 0: none was deployed. */
export interface DmnDecisionUse {
  readonly decisionId: string;
  readonly version: number;
}
