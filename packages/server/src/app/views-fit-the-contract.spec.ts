import { expect } from 'chai';
import type * as contract from '@countersign/contract';
import type * as core from '@countersign/core';

/** Fails to compile where `View` is not what the contract promises, or says more than it does. */
type Fits<View extends Promised, Promised> = [keyof View] extends [keyof Promised] ? true : never;

/** Core knows nothing of the contract; here both are held against each other. */
type ViewsFitTheContract = [
  Fits<core.RunView, contract.Run>,
  Fits<core.RunDetailView, contract.RunDetail>,
  Fits<core.StepView, contract.Step>,
  Fits<core.RunStateView, contract.RunState>,
  Fits<core.WorkflowStatisticsView, contract.WorkflowStatistics>,
  Fits<core.WaitingForView, contract.WaitingFor>,
  Fits<core.RunPlanView, contract.RunPlan>,
  Fits<core.BulkRunPlanView, contract.BulkRunPlan>,
  Fits<core.MigrationPlanView, contract.MigrationPlan>,
  Fits<core.ApprovalView, contract.Approval>,
  Fits<core.ArtifactView, contract.Artifact>,
  Fits<core.AuditEventView, contract.AuditEvent>,
  Fits<core.RunEventView, contract.RunEvent>,
  Fits<core.ChangeView, contract.Change>,
  Fits<core.WorkflowView, contract.Workflow>,
  Fits<core.WorkflowDetailView, contract.WorkflowDetail>,
  Fits<core.DeployedWorkflowView, contract.DeployedWorkflow>,
  Fits<core.DeploymentPlanView, contract.DeploymentPlan>,
  Fits<core.RecordedDecisionView, contract.RecordedDecision>,
  Fits<core.DecisionView, contract.DmnDecision>,
  Fits<core.DecisionDetailView, contract.DmnDecisionDetail>,
  Fits<core.DeployedDecisionsView, contract.DeployedDecisions>,
  Fits<core.InboundEventView, contract.RecordedEvent>,
  Fits<core.InboundEventDetailView, contract.RecordedEventDetail>,
  Fits<core.EvidencePackView, contract.EvidencePack>,
  Fits<core.OutboundDeliveryView, contract.OutboundDelivery>,
  Fits<core.ConversationMessageView, contract.ConversationMessage>,
  Fits<core.QuestionView, contract.Question>,
  Fits<core.AgentWorkView, contract.AgentWork>,
  Fits<core.AgentDefinitionView, contract.Agent>,
  Fits<core.ToolView, contract.Tool>,
  Fits<core.SigningKeyView, contract.SigningKey>,
  Fits<core.AbsenceView, contract.Absence>,
];

describe('views of the core', () => {
  it('should match the schemas of the contract', () => {
    // The compiler has checked it: `never` is no `true`.
    const fits: ViewsFitTheContract = [
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
    ];
    expect(fits).to.not.include(false);
  });
});
