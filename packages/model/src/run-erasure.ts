import type { ApprovalRecord, ArtifactRecord } from './advance-result.js';
import type { QuestionRecord } from './agent.js';

/**
 * The rows of a run that an erasure changes. They are written together with the event that records it, or not at all.
 */
export interface RunErasure {
  /** Positions of the run events whose private parts are erased, ascending. */
  readonly events: readonly number[];
  /** Positions of the run's audit events whose private parts are erased, ascending. */
  readonly auditEvents: readonly number[];
  /** The changed approvals with their votes, after the erasure. */
  readonly approvals: readonly ApprovalRecord[];
  readonly questions: readonly QuestionRecord[];
  readonly artifacts: readonly ArtifactRecord[];
  /** Notifications whose bodies are erased; undelivered ones will never be delivered. */
  readonly deliveries: readonly string[];
  /** Inbound events of other systems whose payloads and senders are erased. */
  readonly inboundEvents: readonly string[];
}
