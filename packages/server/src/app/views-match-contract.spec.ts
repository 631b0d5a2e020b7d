import { expect } from 'chai';
import type * as contract from '@countersign/contract';
import type * as core from '@countersign/core';

/** Fails to compile if `View` does not match the contract type or has more properties. */
type MatchesContract<View extends ContractType, ContractType> = [keyof View] extends [keyof ContractType]
  ? true
  : never;

/** Comparison of the views of core, which does not depend on the contract, with the types of the contract. */
type ViewMatches = [
  MatchesContract<core.RunView, contract.Run>,
  MatchesContract<core.RunDetailView, contract.RunDetail>,
  MatchesContract<core.StepView, contract.Step>,
  MatchesContract<core.RunStateView, contract.RunState>,
  MatchesContract<core.WorkflowStatisticsView, contract.WorkflowStatistics>,
  MatchesContract<core.WaitingForView, contract.WaitingFor>,
  MatchesContract<core.RunPlanView, contract.RunPlan>,
  MatchesContract<core.BulkRunPlanView, contract.BulkRunPlan>,
  MatchesContract<core.MigrationPlanView, contract.MigrationPlan>,
  MatchesContract<core.ApprovalView, contract.Approval>,
  MatchesContract<core.InboxItemView, contract.InboxItem>,
  MatchesContract<core.CommentView, contract.ApprovalComment>,
  MatchesContract<core.ArtifactView, contract.Artifact>,
  MatchesContract<core.AuditEventView, contract.AuditEvent>,
  MatchesContract<core.RunEventView, contract.RunEvent>,
  MatchesContract<core.ChangeView, contract.Change>,
  MatchesContract<core.WorkflowView, contract.Workflow>,
  MatchesContract<core.WorkflowDetailView, contract.WorkflowDetail>,
  MatchesContract<core.WorkflowEngineView, contract.WorkflowEngine>,
  MatchesContract<core.WorkflowMovePlanView, contract.WorkflowMovePlan>,
  MatchesContract<core.DeployedWorkflowView, contract.DeployedWorkflow>,
  MatchesContract<core.DeploymentPlanView, contract.DeploymentPlan>,
  MatchesContract<core.RecordedDecisionView, contract.RecordedDecision>,
  MatchesContract<core.DmnDecisionView, contract.DmnDecision>,
  MatchesContract<core.DmnDecisionDetailView, contract.DmnDecisionDetail>,
  MatchesContract<core.DeployedDecisionsView, contract.DeployedDecisions>,
  MatchesContract<core.InboundEventView, contract.RecordedEvent>,
  MatchesContract<core.InboundEventDetailView, contract.RecordedEventDetail>,
  MatchesContract<core.EvidencePackView, contract.EvidencePack>,
  MatchesContract<core.OutboundDeliveryView, contract.OutboundDelivery>,
  MatchesContract<core.ConversationMessageView, contract.ConversationMessage>,
  MatchesContract<core.QuestionView, contract.Question>,
  MatchesContract<core.AgentWorkView, contract.AgentWork>,
  MatchesContract<core.AgentDefinitionView, contract.Agent>,
  MatchesContract<core.ToolView, contract.Tool>,
  MatchesContract<core.SigningKeyView, contract.SigningKey>,
  MatchesContract<core.AbsenceView, contract.Absence>,
];

describe('views of the core', () => {
  it('should match the schemas of the contract', () => {
    // Checked by the compiler: `true` is not assignable to `never`.
    const matches: ViewMatches = [
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
      true,
      true,
      true,
      true,
    ];
    expect(matches).to.not.include(false);
  });
});
