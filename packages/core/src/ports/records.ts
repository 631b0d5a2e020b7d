import type {
  ApprovalRecord,
  ArtifactRecord,
  Json,
  JsonObject,
  PolicyDecision,
  QuestionRecord,
  QuestionStatus,
  RiskLevel,
  RunOutcome,
  RunProjection,
  RunStatus,
} from '@countersign/model';

export type { ApprovalRecord, ArtifactRecord, QuestionRecord };
export type { AuditEntry, AuditRecord } from '@countersign/model';

/** A run as lists and details show it. Times in milliseconds since the epoch. */
export interface RunRecord extends RunProjection {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowVersion: number;
  readonly workflowDigest: string;
  readonly outcome: RunOutcome | null;
  readonly startedAt: number;
  readonly startedBy: string;
  readonly updatedAt: number;
  readonly completedAt: number | null;
  readonly businessKey: string | null;
  readonly parentRunId: string | null;
}

/** A run with its state. */
export interface FoundRun {
  /** The run itself, as its last command left it. */
  readonly run: RunRecord;
  /** As lists show it: a call activity counts as its called run, whose waits show in the caller too. */
  readonly shown: RunRecord;
  /** The JSON text of its state. */
  readonly state: string;
}

/** Of runs as they are shown. */
export interface RunFilter {
  readonly status?: RunStatus;
  readonly outcome?: RunOutcome;
  readonly workflowId?: string;
  readonly workflowVersion?: number;
  readonly riskLevel?: string;
  readonly startedBy?: string;
  readonly businessKey?: string;
  readonly startedAfter?: number;
  readonly startedBefore?: number;
  readonly waitingFor?: 'approval' | 'question' | 'event' | 'timer';
  /** Active, waiting for nothing, and not moved since this time (ms since the epoch). */
  readonly stuckSince?: number;
  /** Called by this run. */
  readonly parentRunId?: string;
  /** `true`: called by no run; `false`: called by one. */
  readonly root?: boolean;
  /** Text in the business key, the workflow id or the run id. */
  readonly q?: string;
}

export interface ApprovalPerson {
  readonly id: string;
  /** Other names of the person, whose case does not count. */
  readonly userNames?: readonly string[];
  readonly groups: readonly string[];
}

export interface ApprovalFilter {
  readonly status?: string;
  readonly runId?: string;
  /** Of this run and of all runs that it has called, at every level. */
  readonly calledFrom?: string;
  readonly workflowId?: string;
  readonly riskLevel?: string;
  readonly dueBefore?: number;
  readonly q?: string;
  /** Only pending ones that this person may decide: a candidate (by id, group or delegation), not excluded, who has not voted. */
  readonly decidableBy?: ApprovalPerson;
  /** Only pending ones that this person may not decide. */
  readonly undecidableBy?: ApprovalPerson;
  /** Only those that this person has voted on; newest first. */
  readonly votedBy?: string;
  /** `urgency`: the highest risk first, and of one risk what is due first. */
  readonly sort?: 'newest' | 'risk' | 'due' | 'urgency';
}

/** What the policy said about a step, or about a call of an agent, as the history has it. */
export interface PolicyDecisionRecord {
  readonly runId: string;
  readonly workflowId: string;
  /** Of the event that records it. */
  readonly seq: number;
  readonly at: number;
  readonly stepId: string;
  readonly elementId: string;
  /** `null`: the step itself was decided on. */
  readonly callId: string | null;
  readonly tool: string | null;
  readonly agentName: string | null;
  readonly decision: PolicyDecision;
}

export interface PolicyDecisionFilter {
  readonly decision?: PolicyDecision['decision'];
  readonly riskLevel?: RiskLevel;
  readonly workflowId?: string;
  readonly runId?: string;
  readonly policyDigest?: string;
}

export interface QuestionFilter {
  readonly status?: QuestionStatus;
  readonly runId?: string;
  readonly workflowId?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Of what a list would list. */
export interface Count {
  readonly count: number;
  /** `false`: there are at least so many; no more were looked for. */
  readonly exact: boolean;
}

export interface PageRequest {
  /** 1 to 200. */
  readonly limit: number;
  /** Opaque; from `nextCursor`. A cursor that does not fit is an `invalid_cursor`. */
  readonly cursor?: string;
}

export interface WorkflowVersionRecord {
  readonly workflowId: string;
  readonly version: number;
  /** `sha256:<hex>` of the BPMN bytes. */
  readonly digest: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly inputSchema: JsonObject | null;
  readonly elements: Json;
  readonly bpmnXml: string;
  readonly deployedAt: number;
  readonly deployedBy: string;
}

export interface RunArtifact extends ArtifactRecord {
  readonly runId: string;
}
