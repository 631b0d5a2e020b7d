/** What can be asked of Countersign, for servers and other ways in. */
export { createApplication, type Application, type PortSource } from './create-application.js';
export { ApplicationSettings } from './application-settings.js';
export type { Caller, Viewer } from './caller.js';
export { Freshest } from './freshest.js';
export type { StartRunInput } from './start-run.js';
export type { PageView } from './run-queries.js';
export { EVIDENCE_PACK_SCHEMA, type EvidencePackView } from './evidence-pack.js';
export { StepProjection } from './project-steps.js';
export { changeView, runEventView, type ChangeView, type RunEventView } from './views/event-view.js';
export type { ApprovalRecordView, ApprovalView } from './views/approval-view.js';
export type { ArtifactView } from './views/artifact-view.js';
export type { AuditEventView } from './views/audit-view.js';
export type { DecisionDetailView, DecisionView, DeployedDecisionsView } from './views/decision-view.js';
export type { RunPlanView } from './views/plan-view.js';
export type { RunDetailView } from './views/run-detail-view.js';
export type { RunView, WaitingForView } from './views/run-view.js';
export type { StepView } from './views/step-view.js';
export type { DeployedWorkflowView, WorkflowDetailView, WorkflowView } from './views/workflow-view.js';
