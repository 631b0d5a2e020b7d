import { inject, injectable } from 'inversify';
import type { AuditRecord } from '../domain/audit.js';
import { GENESIS_HASH, type RunEvent } from '../domain/run-event.js';
import type { RunState } from '../domain/run-state.js';
import { ClockPort } from '../ports/clock.js';
import { DefinitionStore } from '../ports/definitions.js';
import { EnginePort } from '../ports/engine.js';
import type { ApprovalRecord, QuestionRecord, RunArtifact, RunRecord } from '../ports/records.js';
import { SigningKeyStore } from '../ports/signing-keys.js';
import { StoragePort } from '../ports/storage.js';
import { ApplicationSettings } from './application-settings.js';
import { approvalsOfRun } from './approvals-of-run.js';
import type { Caller } from './caller.js';
import { decisionFilesOf } from './decision-files.js';
import { definitionsOf } from './definitions-of.js';
import { EVIDENCE_PACK_SCHEMA, type EvidencePackView, type EvidenceWorkflowView } from './evidence-pack.js';
import { StepProjection } from './project-steps.js';
import { RunQueries, variablesOf, type RunAtOnce } from './run-queries.js';
import { agentStepWork } from './views/agent-work-view.js';
import { approvalRecordView } from './views/approval-view.js';
import { artifactView } from './views/artifact-view.js';
import { timestamp } from './views/as-response.js';
import { evidenceAuditEventView } from './views/audit-view.js';
import { evidenceEventView } from './views/event-view.js';
import { questionView } from './views/question-view.js';
import { evidenceSigningKeyView } from './views/signing-key-view.js';
import { runDetailView } from './views/run-detail-view.js';

const PAGE = 1_000;
const TRIES = 5;

interface Material extends RunAtOnce {
  readonly events: readonly RunEvent[];
  readonly approvals: readonly ApprovalRecord[];
  readonly questions: readonly QuestionRecord[];
  readonly artifacts: readonly RunArtifact[];
  readonly audit: readonly AuditRecord[];
  /** Entries about the run in the server's chain. */
  readonly refusals: readonly AuditRecord[];
}

/** Puts together what proves a run: at any time, and always of one moment. */
@injectable()
export class BuildEvidencePack {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(DefinitionStore) private readonly definitions: DefinitionStore,
    @inject(SigningKeyStore) private readonly signingKeys: SigningKeyStore,
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(RunQueries) private readonly runs: RunQueries,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(ApplicationSettings) private readonly settings: ApplicationSettings,
  ) {}

  /** @throws {CountersignError} `run_not_found` */
  async build(runId: string, caller: Caller): Promise<EvidencePackView> {
    const { run, state, events, approvals, questions, artifacts, audit, refusals } = await this.gather(runId);
    const [workflow, ...earlierVersions] = await Promise.all(
      [run.workflowVersion, ...earlier(run, events)].map((version) => this.workflow(run.workflowId, version)),
    );
    if (workflow === undefined) throw new Error('a run is on a version');
    const projection = new StepProjection().fold(events);
    const steps = projection.ordered();
    return {
      schema: EVIDENCE_PACK_SCHEMA,
      generatedAt: timestamp(this.clock.now()),
      generatedBy: caller.actor.id,
      server: {
        version: this.settings.serverVersion,
        instanceId: this.engine.status().instanceId,
        serverId: await this.signingKeys.serverId(),
      },
      run: runDetailView(run, projection.inputs, variablesOf(state), steps, artifacts),
      workflow,
      earlierVersions,
      decisionFiles: await decisionFilesOf(this.storage, events),
      steps,
      approvals: [...approvals].sort(byRequest).map(approvalRecordView),
      signingKeys: await this.keysOf(approvals),
      questions: questions.map(questionView),
      agentWork: agentWorkOf(state, events, approvals),
      definitions: await definitionsOf(this.definitions, events),
      artifacts: artifacts.map(artifactView),
      events: events.map(evidenceEventView),
      auditEvents: audit.map(evidenceAuditEventView),
      refusals: refusals.map(evidenceAuditEventView),
      chain: {
        algorithm: 'sha256',
        canonicalisation: 'RFC 8785',
        genesis: GENESIS_HASH,
        runHead: headOf(events),
        auditHead: headOf(audit),
      },
    };
  }

  /** Those that votes are signed with, oldest first. */
  private async keysOf(approvals: readonly ApprovalRecord[]): Promise<EvidencePackView['signingKeys']> {
    const keyIds = new Set(approvals.flatMap(({ votes }) => votes.flatMap(({ signature }) => signature?.keyId ?? [])));
    if (keyIds.size === 0) return [];
    const keys = await this.signingKeys.findKeys([...keyIds]);
    return [...keys]
      .sort((a, b) => a.createdAt - b.createdAt || (a.keyId < b.keyId ? -1 : 1))
      .map(evidenceSigningKeyView);
  }

  private async workflow(workflowId: string, version: number): Promise<EvidenceWorkflowView> {
    const found = await this.storage.findWorkflowVersion(workflowId, version);
    if (found === undefined) throw new Error(`Version ${version} of "${workflowId}" is not stored.`);
    const { digest, bpmnXml, deployedAt, deployedBy } = found;
    return { workflowId, version, digest, bpmnXml, deployedAt: timestamp(deployedAt), deployedBy };
  }

  /** Reads until nothing happened in between; a run that never rests is cut at the last event that was read. */
  private async gather(runId: string): Promise<Material> {
    for (let attempt = 1; ; attempt += 1) {
      const found = await this.runs.find(runId);
      const [events, approvals, questions, artifacts, about] = await Promise.all([
        this.allEvents(runId, found.state.seq),
        approvalsOfRun(this.storage, runId),
        this.storage.listRunQuestions(runId),
        this.storage.listArtifacts(runId),
        this.allAudit(runId),
      ]);
      const after = await this.runs.find(runId);
      if (after.state.seq === found.state.seq || attempt === TRIES) {
        // What the server's chain holds can't be checked for gaps here, but each entry by itself.
        const audit = about.filter((record) => record.runId === runId);
        const refusals = about.filter((record) => record.runId !== runId);
        return { ...found, events, approvals, questions, artifacts, audit, refusals };
      }
    }
  }

  private async allEvents(runId: string, upTo: number): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    while (events.length < upTo) {
      const page = await this.storage.listRunEvents(runId, events.length, Math.min(PAGE, upTo - events.length));
      if (page.length === 0) throw new Error(`Run ${runId} has ${events.length} events, but its state says ${upTo}.`);
      events.push(...page);
    }
    return events;
  }

  private async allAudit(runId: string): Promise<AuditRecord[]> {
    const records: AuditRecord[] = [];
    for (let page = PAGE; page === PAGE;) {
      const before = records.at(-1)?.auditId;
      const older = await this.storage.listAudit({ runId, ...(before === undefined ? {} : { before }) }, PAGE);
      records.push(...older);
      page = older.length;
    }
    return records.sort((a, b) => a.seq - b.seq);
  }
}

/** What agents did, step by step in the order in which they began to. */
function agentWorkOf(
  { instances }: RunState,
  events: readonly RunEvent[],
  approvals: readonly ApprovalRecord[],
): EvidencePackView['agentWork'] {
  const stepIds = new Set(
    events.flatMap(({ type, stepId }) => (type === 'agent.turn' && stepId !== null ? [stepId] : [])),
  );
  const alive = new Set(Object.values(instances).map(({ stepId }) => stepId));
  return [...stepIds].flatMap((stepId) => {
    const work = agentStepWork(
      events.filter((event) => event.stepId === stepId),
      approvals,
      !alive.has(stepId),
    );
    return work === undefined ? [] : [{ stepId, ...work }];
  });
}

/** The other versions that a run was on, in the order in which it left them first. */
function earlier(run: RunRecord, events: readonly RunEvent[]): number[] {
  const left = events.flatMap(({ type, data }) => (type === 'run.migrated' ? [Number(data['fromVersion'])] : []));
  return [...new Set(left)].filter((version) => version !== run.workflowVersion);
}

function headOf(chain: readonly { readonly seq: number; readonly hash: string }[]): { seq: number; hash: string } {
  const last = chain.at(-1);
  return last === undefined ? { seq: 0, hash: GENESIS_HASH } : { seq: last.seq, hash: last.hash };
}

function byRequest(a: ApprovalRecord, b: ApprovalRecord): number {
  return a.requestedAt - b.requestedAt || (a.approvalId < b.approvalId ? -1 : 1);
}
