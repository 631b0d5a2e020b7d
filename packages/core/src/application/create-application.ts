import type { ServiceIdentifier } from 'inversify';
import { AgentCatalogueQueries } from './agent-queries/agent-catalogue-queries.js';
import { AgentWorkQueries } from './agent-queries/agent-work-queries.js';
import { Absences } from './absences.js';
import { ApprovalComments } from './approval-comments.js';
import { ApprovalQueries } from './approval-queries.js';
import { Artifacts } from './artifacts.js';
import { AssignApproval } from './assign-approval.js';
import { BuildEvidencePack } from './build-evidence-pack.js';
import { BulkRuns } from './bulk/bulk-runs.js';
import { DecideApprovals } from './bulk/decide-approvals.js';
import { CancelRun } from './cancel-run.js';
import { AnswerQuestion } from './conversation/answer-question.js';
import { ConversationQueries } from './conversation/conversation-queries.js';
import { DecideApproval } from './decide-approval.js';
import { DmnDecisions } from './dmn-decisions.js';
import { EvaluateConditions } from './evaluate-conditions.js';
import { ExportAuditTrail } from './export-audit-trail.js';
import { HistoryQueries } from './history-queries.js';
import { InboundEvents } from './inbound-events.js';
import { MigrateRun } from './migrate-run.js';
import { MoveWorkflow } from './move-workflow.js';
import { OutboundDeliveries } from './outbound-deliveries.js';
import { People } from './people.js';
import { ErasePerson } from './personal-data/erase-person.js';
import { ErasePersonalData } from './personal-data/erase-personal-data.js';
import { PolicyDecisions } from './policy-decisions.js';
import { Policies } from './policies.js';
import { RunPolicyTrial } from './policy-trial/run-policy-trial.js';
import { RecoverRun } from './recover-run.js';
import { RunQueries } from './run-queries.js';
import { RunStates } from './time-travel/run-states.js';
import { EnrolSigningKeys } from './signing/enrol-signing-keys.js';
import { SigningKeys } from './signing/signing-keys.js';
import { StartRun } from './start-run.js';
import { WorkflowStatistics } from './workflow-statistics.js';
import { Workflows } from './workflows.js';

/** All use cases of Countersign, for every entry point (HTTP, a command line, application code). */
export interface Application {
  readonly startRun: StartRun;
  readonly evaluateConditions: EvaluateConditions;
  readonly cancelRun: CancelRun;
  readonly recoverRun: RecoverRun;
  readonly bulkRuns: BulkRuns;
  readonly migrateRun: MigrateRun;
  readonly moveWorkflow: MoveWorkflow;
  readonly decideApproval: DecideApproval;
  readonly decideApprovals: DecideApprovals;
  readonly assignApproval: AssignApproval;
  readonly signingKeys: SigningKeys;
  readonly enrolSigningKeys: EnrolSigningKeys;
  readonly absences: Absences;
  readonly people: People;
  readonly artifacts: Artifacts;
  readonly workflows: Workflows;
  readonly workflowStatistics: WorkflowStatistics;
  readonly dmnDecisions: DmnDecisions;
  readonly runs: RunQueries;
  readonly runStates: RunStates;
  readonly approvals: ApprovalQueries;
  readonly approvalComments: ApprovalComments;
  readonly answerQuestion: AnswerQuestion;
  readonly conversations: ConversationQueries;
  readonly agentWork: AgentWorkQueries;
  readonly agents: AgentCatalogueQueries;
  readonly history: HistoryQueries;
  readonly auditTrail: ExportAuditTrail;
  readonly erasePersonalData: ErasePersonalData;
  readonly erasePerson: ErasePerson;
  readonly inboundEvents: InboundEvents;
  readonly evidence: BuildEvidencePack;
  readonly outboundDeliveries: OutboundDeliveries;
  readonly policies: Policies;
  readonly runPolicyTrial: RunPolicyTrial;
  readonly policyDecisions: PolicyDecisions;
}

/** Returns the use cases of a host, one instance each. */
export function createApplication(host: { get<T>(token: ServiceIdentifier<T>): T }): Application {
  return {
    startRun: host.get(StartRun),
    evaluateConditions: host.get(EvaluateConditions),
    cancelRun: host.get(CancelRun),
    recoverRun: host.get(RecoverRun),
    bulkRuns: host.get(BulkRuns),
    migrateRun: host.get(MigrateRun),
    moveWorkflow: host.get(MoveWorkflow),
    decideApproval: host.get(DecideApproval),
    decideApprovals: host.get(DecideApprovals),
    assignApproval: host.get(AssignApproval),
    signingKeys: host.get(SigningKeys),
    enrolSigningKeys: host.get(EnrolSigningKeys),
    absences: host.get(Absences),
    people: host.get(People),
    artifacts: host.get(Artifacts),
    workflows: host.get(Workflows),
    workflowStatistics: host.get(WorkflowStatistics),
    dmnDecisions: host.get(DmnDecisions),
    runs: host.get(RunQueries),
    runStates: host.get(RunStates),
    approvals: host.get(ApprovalQueries),
    approvalComments: host.get(ApprovalComments),
    answerQuestion: host.get(AnswerQuestion),
    conversations: host.get(ConversationQueries),
    agentWork: host.get(AgentWorkQueries),
    agents: host.get(AgentCatalogueQueries),
    history: host.get(HistoryQueries),
    auditTrail: host.get(ExportAuditTrail),
    erasePersonalData: host.get(ErasePersonalData),
    erasePerson: host.get(ErasePerson),
    inboundEvents: host.get(InboundEvents),
    evidence: host.get(BuildEvidencePack),
    outboundDeliveries: host.get(OutboundDeliveries),
    policies: host.get(Policies),
    runPolicyTrial: host.get(RunPolicyTrial),
    policyDecisions: host.get(PolicyDecisions),
  };
}
