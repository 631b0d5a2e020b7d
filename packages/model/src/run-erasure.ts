import type { ApprovalRecord, ArtifactRecord } from './advance-result.js';
import type { QuestionRecord } from './agent.js';

/** What an erasure leaves of the rows of a run. It is written together with the event that tells of it, or not at all. */
export interface RunErasure {
  /** Positions of the run events whose private parts go, ascending. */
  readonly events: readonly number[];
  /** The same of the run's audit events. */
  readonly auditEvents: readonly number[];
  /** The approvals that change, with their votes, as they are afterwards. */
  readonly approvals: readonly ApprovalRecord[];
  readonly questions: readonly QuestionRecord[];
  readonly artifacts: readonly ArtifactRecord[];
  /** Notifications whose bodies go; those that were not delivered yet never will be. */
  readonly deliveries: readonly string[];
  /** Events of systems outside whose payloads and senders go. */
  readonly inboundEvents: readonly string[];
}
