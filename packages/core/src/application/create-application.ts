import 'reflect-metadata';
import { Container, type Newable, type ServiceIdentifier } from 'inversify';
import { ArtifactStorePort } from '../ports/artifact-store.js';
import { ClockPort } from '../ports/clock.js';
import { EnginePort } from '../ports/engine.js';
import { OutboundDeliveryStore } from '../ports/outbound-deliveries.js';
import { StoragePort } from '../ports/storage.js';
import { ApplicationSettings } from './application-settings.js';
import { ApprovalQueries } from './approval-queries.js';
import { Artifacts } from './artifacts.js';
import { AssignApproval } from './assign-approval.js';
import { BuildEvidencePack } from './build-evidence-pack.js';
import { CancelRun } from './cancel-run.js';
import { DecideApproval } from './decide-approval.js';
import { Decisions } from './decisions.js';
import { EvaluateConditions } from './evaluate-conditions.js';
import { HistoryQueries } from './history-queries.js';
import { InboundEvents } from './inbound-events.js';
import { MigrateRun } from './migrate-run.js';
import { OutboundDeliveries } from './outbound-deliveries.js';
import { PlanRun } from './plan-run.js';
import { RecoverRun } from './recover-run.js';
import { RunQueries } from './run-queries.js';
import { StartRun } from './start-run.js';
import { StepHistory } from './step-history.js';
import { Workflows } from './workflows.js';

/** All that can be asked of Countersign, whatever the way in (HTTP, a command line, a host's own code). */
export interface Application {
  readonly startRun: StartRun;
  readonly evaluateConditions: EvaluateConditions;
  readonly cancelRun: CancelRun;
  readonly recoverRun: RecoverRun;
  readonly migrateRun: MigrateRun;
  readonly decideApproval: DecideApproval;
  readonly assignApproval: AssignApproval;
  readonly artifacts: Artifacts;
  readonly workflows: Workflows;
  readonly decisions: Decisions;
  readonly runs: RunQueries;
  readonly approvals: ApprovalQueries;
  readonly history: HistoryQueries;
  readonly inboundEvents: InboundEvents;
  readonly evidence: BuildEvidencePack;
  readonly outboundDeliveries: OutboundDeliveries;
}

/** Where the ports come from: a host. */
export interface PortSource {
  get<T>(token: ServiceIdentifier<T>): T;
}

const PORTS: readonly ServiceIdentifier[] = [EnginePort, StoragePort, OutboundDeliveryStore, ArtifactStorePort, ClockPort];

const USE_CASES: readonly Newable[] = [
  StartRun,
  EvaluateConditions,
  CancelRun,
  RecoverRun,
  MigrateRun,
  PlanRun,
  DecideApproval,
  AssignApproval,
  Artifacts,
  Workflows,
  Decisions,
  RunQueries,
  ApprovalQueries,
  HistoryQueries,
  StepHistory,
  InboundEvents,
  BuildEvidencePack,
  OutboundDeliveries,
];

/** Puts the use cases together over the ports of a host. Each host has its own. */
export function createApplication(ports: PortSource, settings: ApplicationSettings): Application {
  const container = new Container();
  for (const port of PORTS) container.bind(port).toDynamicValue(() => ports.get(port)).inSingletonScope();
  container.bind(ApplicationSettings).toConstantValue(settings);
  for (const useCase of USE_CASES) container.bind<unknown>(useCase).toSelf().inSingletonScope();
  return {
    startRun: container.get(StartRun),
    evaluateConditions: container.get(EvaluateConditions),
    cancelRun: container.get(CancelRun),
    recoverRun: container.get(RecoverRun),
    migrateRun: container.get(MigrateRun),
    decideApproval: container.get(DecideApproval),
    assignApproval: container.get(AssignApproval),
    artifacts: container.get(Artifacts),
    workflows: container.get(Workflows),
    decisions: container.get(Decisions),
    runs: container.get(RunQueries),
    approvals: container.get(ApprovalQueries),
    history: container.get(HistoryQueries),
    inboundEvents: container.get(InboundEvents),
    evidence: container.get(BuildEvidencePack),
    outboundDeliveries: container.get(OutboundDeliveries),
  };
}
