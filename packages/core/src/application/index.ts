/** The use cases of Countersign, for servers and other entry points. */
export { createApplication, type Application } from './create-application.js';
export type { Caller, SignIn, ReadContext } from './caller.js';
export { FailureLog } from './failure-log.js';
export { CoalescingLoader } from './coalescing-loader.js';
export type { StartRunInput } from './start-run.js';
export type { SetAbsenceInput } from './absences.js';
export type { GroupView, UserView } from './people.js';
export type { PageView } from './run-queries.js';
export type { BulkRunResult, BulkRunsInput, RunSelection } from './bulk/bulk-runs.js';
export { EVIDENCE_PACK_SCHEMA, type EvidencePackView } from './evidence-pack.js';
export { StepProjection } from './step-projection.js';
export { serializeChange, toRunEventView, type ChangeView, type RunEventView } from './views/run-event-view.js';
export type { AgentDefinitionView, ToolView } from './views/agent-catalogue-view.js';
export type { AgentWorkView } from './views/agent-work-view.js';
export type { ConversationMessageView } from './views/conversation-view.js';
export type { QuestionView } from './views/question-view.js';
export type { ApprovalView } from './views/approval-view.js';
export type { ApprovalListRequest } from './approval-queries.js';
export type { CommentView } from './views/comment-view.js';
export type { InboxItemView } from './views/inbox-view.js';
export type { ArtifactView } from './views/artifact-view.js';
export type { AuditEventView } from './views/audit-view.js';
export type { BulkRunPlanView } from './views/bulk-plan-view.js';
export type { DmnDecisionDetailView, DmnDecisionView, DeployedDecisionsView } from './views/dmn-decision-view.js';
export type { InboundEventDetailView, InboundEventView } from './views/inbound-event-view.js';
export type { MigrationPlanView } from './views/migration-plan-view.js';
export type { OutboundDeliveryView } from './views/outbound-delivery-view.js';
export type { WorkflowEngineView, WorkflowMovePlanView } from './move-workflow.js';
export type { PolicyView } from './policies.js';
export type { PolicyTrialView } from './policy-trial/run-policy-trial.js';
export type { RunPlanView } from './views/run-plan-view.js';
export type { RecordedDecisionView } from './views/recorded-decision-view.js';
export type { RunDetailView } from './views/run-detail-view.js';
export type { RunStateView } from './views/run-state-view.js';
export type { RunView, WaitingForView } from './views/run-view.js';
export type { AbsenceView } from './views/absence-view.js';
export type { SigningKeyView } from './views/signing-key-view.js';
export type { StepView } from './views/step-view.js';
export type { WorkflowStatisticsView } from './workflow-statistics.js';
export type {
  DeployedWorkflowView,
  DeploymentPlanView,
  WorkflowDetailView,
  WorkflowView,
} from './views/workflow-view.js';
