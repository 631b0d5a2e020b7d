import { expect } from 'chai';
import type * as contract from '@countersign/contract';
import type * as core from '@countersign/core';

/** Fails to compile if `View` does not match the contract type or has more properties. */
type Fits<View extends Promised, Promised> = [keyof View] extends [keyof Promised] ? true : never;

/** Compares the views of core, which does not depend on the contract, with the types of the contract. */
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
    // Checked by the compiler: `true` is not assignable to `never`.
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
