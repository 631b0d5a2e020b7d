import 'reflect-metadata';
import { Container, type Newable, type ServiceIdentifier } from 'inversify';
import { AgentCatalogue, ToolPinPort } from '../ports/agent-catalogue.js';
import { AgentRuntimePort } from '../ports/agent-runtime.js';
import { ArtifactStorePort } from '../ports/artifact-store.js';
import { ClockPort } from '../ports/clock.js';
import { DefinitionStore } from '../ports/definitions.js';
import { EnginePort } from '../ports/engine.js';
import { OutboundDeliveryStore } from '../ports/outbound-deliveries.js';
import { PolicyDraftPort, PolicyPort } from '../ports/policy.js';
import { SigningKeyStore } from '../ports/signing-keys.js';
import { StoragePort } from '../ports/storage.js';
import { AgentCatalogueQueries } from './agent-queries/agent-catalogue-queries.js';
import { AgentWorkQueries } from './agent-queries/agent-work-queries.js';
import { NO_PINS } from './agent-queries/no-pins.js';
import { Absences } from './absences.js';
import { ApplicationSettings } from './application-settings.js';
import { ApprovalQueries } from './approval-queries.js';
import { Artifacts } from './artifacts.js';
import { AssignApproval } from './assign-approval.js';
import { BuildEvidencePack } from './build-evidence-pack.js';
import { BulkRuns } from './bulk/bulk-runs.js';
import { DecideApprovals } from './bulk/decide-approvals.js';
import { PlanBulkRuns } from './bulk/plan-bulk-runs.js';
import { CancelRun } from './cancel-run.js';
import { AnswerQuestion } from './conversation/answer-question.js';
import { ConversationQueries } from './conversation/conversation-queries.js';
import { DecideApproval } from './decide-approval.js';
import { Decisions } from './decisions.js';
import { EditCall } from './edit-call.js';
import { EvaluateConditions } from './evaluate-conditions.js';
import { HistoryQueries } from './history-queries.js';
import { InboundEvents } from './inbound-events.js';
import { MigrateRun } from './migrate-run.js';
import { OutboundDeliveries } from './outbound-deliveries.js';
import { PlanRun } from './plan-run.js';
import { PolicyDecisions } from './policy-decisions.js';
import { NO_DRAFTS, Policies } from './what-if/policies.js';
import { RecoverRun } from './recover-run.js';
import { RunQueries } from './run-queries.js';
import { RunStates } from './time-travel/run-states.js';
import { CheckSignature } from './signing/check-signature.js';
import { SigningKeys } from './signing/signing-keys.js';
import { StartRun } from './start-run.js';
import { StepHistory } from './step-history.js';
import { WorkflowStatistics } from './workflow-statistics.js';
import { Workflows } from './workflows.js';

/** All that can be asked of Countersign, whatever the way in (HTTP, a command line, a host's own code). */
export interface Application {
  readonly startRun: StartRun;
  readonly evaluateConditions: EvaluateConditions;
  readonly cancelRun: CancelRun;
  readonly recoverRun: RecoverRun;
  readonly bulkRuns: BulkRuns;
  readonly migrateRun: MigrateRun;
  readonly decideApproval: DecideApproval;
  readonly decideApprovals: DecideApprovals;
  readonly assignApproval: AssignApproval;
  readonly signingKeys: SigningKeys;
  readonly absences: Absences;
  readonly artifacts: Artifacts;
  readonly workflows: Workflows;
  readonly workflowStatistics: WorkflowStatistics;
  readonly decisions: Decisions;
  readonly runs: RunQueries;
  readonly runStates: RunStates;
  readonly approvals: ApprovalQueries;
  readonly answerQuestion: AnswerQuestion;
  readonly conversations: ConversationQueries;
  readonly agentWork: AgentWorkQueries;
  readonly agents: AgentCatalogueQueries;
  readonly history: HistoryQueries;
  readonly inboundEvents: InboundEvents;
  readonly evidence: BuildEvidencePack;
  readonly outboundDeliveries: OutboundDeliveries;
  readonly policies: Policies;
  readonly policyDecisions: PolicyDecisions;
}

/** Where the ports come from: a host. */
export interface PortSource {
  get<T>(token: ServiceIdentifier<T>): T;
  /** None where nothing is bound. */
  getAll<T>(token: ServiceIdentifier<T>): readonly T[];
}

const PORTS: readonly ServiceIdentifier[] = [
  EnginePort,
  StoragePort,
  OutboundDeliveryStore,
  DefinitionStore,
  SigningKeyStore,
  AgentCatalogue,
  AgentRuntimePort,
  ArtifactStorePort,
  PolicyPort,
  ClockPort,
];

const USE_CASES: readonly Newable[] = [
  StartRun,
  EvaluateConditions,
  CancelRun,
  RecoverRun,
  PlanBulkRuns,
  BulkRuns,
  MigrateRun,
  PlanRun,
  EditCall,
  CheckSignature,
  SigningKeys,
  Absences,
  DecideApproval,
  DecideApprovals,
  AssignApproval,
  Artifacts,
  Workflows,
  WorkflowStatistics,
  Decisions,
  RunQueries,
  RunStates,
  ApprovalQueries,
  AnswerQuestion,
  ConversationQueries,
  AgentWorkQueries,
  AgentCatalogueQueries,
  HistoryQueries,
  StepHistory,
  InboundEvents,
  BuildEvidencePack,
  OutboundDeliveries,
  Policies,
  PolicyDecisions,
];

/** Puts the use cases together over the ports of a host. Each host has its own. */
export function createApplication(ports: PortSource, settings: ApplicationSettings): Application {
  const container = new Container();
  for (const port of PORTS)
    container
      .bind(port)
      .toDynamicValue(() => ports.get(port))
      .inSingletonScope();
  container
    .bind(ToolPinPort)
    .toDynamicValue(() => ports.getAll(ToolPinPort)[0] ?? NO_PINS)
    .inSingletonScope();
  container
    .bind(PolicyDraftPort)
    .toDynamicValue(() => ports.getAll(PolicyDraftPort)[0] ?? NO_DRAFTS)
    .inSingletonScope();
  container.bind(ApplicationSettings).toConstantValue(settings);
  for (const useCase of USE_CASES) container.bind<unknown>(useCase).toSelf().inSingletonScope();
  return {
    startRun: container.get(StartRun),
    evaluateConditions: container.get(EvaluateConditions),
    cancelRun: container.get(CancelRun),
    recoverRun: container.get(RecoverRun),
    bulkRuns: container.get(BulkRuns),
    migrateRun: container.get(MigrateRun),
    decideApproval: container.get(DecideApproval),
    decideApprovals: container.get(DecideApprovals),
    assignApproval: container.get(AssignApproval),
    signingKeys: container.get(SigningKeys),
    absences: container.get(Absences),
    artifacts: container.get(Artifacts),
    workflows: container.get(Workflows),
    workflowStatistics: container.get(WorkflowStatistics),
    decisions: container.get(Decisions),
    runs: container.get(RunQueries),
    runStates: container.get(RunStates),
    approvals: container.get(ApprovalQueries),
    answerQuestion: container.get(AnswerQuestion),
    conversations: container.get(ConversationQueries),
    agentWork: container.get(AgentWorkQueries),
    agents: container.get(AgentCatalogueQueries),
    history: container.get(HistoryQueries),
    inboundEvents: container.get(InboundEvents),
    evidence: container.get(BuildEvidencePack),
    outboundDeliveries: container.get(OutboundDeliveries),
    policies: container.get(Policies),
    policyDecisions: container.get(PolicyDecisions),
  };
}
