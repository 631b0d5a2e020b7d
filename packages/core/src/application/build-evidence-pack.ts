import { inject, injectable } from 'inversify';
import {
  type AuditRecord,
  GENESIS_HASH,
  isRunEvent,
  runTimeSliced,
  mapInPieces,
  yieldToEventLoop,
  type RunEvent,
} from '@countersign/model';
import { type ApprovalInHistory, findCoverageGaps, collectRecordedFacts } from '@countersign/model/evidence';
import { ClockPort } from '../ports/clock.js';
import { DefinitionStore } from '../ports/definitions.js';
import { EnginePort } from '../ports/engine.js';
import type { ApprovalRecord, QuestionRecord, RunArtifact, RunRecord } from '../ports/records.js';
import type { RunSnapshot } from '../ports/run-snapshot.js';
import { SigningKeyStore } from '../ports/signing-keys.js';
import { StoragePort } from '../ports/storage.js';
import { ApplicationSettings } from './application-settings.js';
import { loadAllAudit, loadAllEvents } from './load-run-history.js';
import { loadRunApprovals } from './load-run-approvals.js';
import type { Caller } from './caller.js';
import { findDecisionFiles } from './find-decision-files.js';
import { findUsedDefinitions } from './find-used-definitions.js';
import { EVIDENCE_PACK_SCHEMA, type EvidencePackView, type EvidenceWorkflowView } from './evidence-pack.js';
import { StepProjection } from './step-projection.js';
import { RunQueries, type LoadedRun } from './run-queries.js';
import { buildAgentStepWork } from './views/agent-work-view.js';
import { findNewestVersions } from './views/artifact-view.js';
import { toTimestamp } from './views/to-json-response.js';
import { toEvidenceAuditEventView } from './views/audit-view.js';
import {
  toEvidenceApprovalView,
  toEvidenceArtifactView,
  toEvidenceQuestionView,
  type EvidenceArtifactView,
} from './views/evidence-views.js';
import { toEvidenceEventView } from './views/run-event-view.js';
import { toEvidenceSigningKeyView } from './views/signing-key-view.js';
import { toRunDetailView } from './views/run-detail-view.js';

const MAX_ATTEMPTS = 5;

interface EvidenceSources extends LoadedRun {
  readonly events: readonly RunEvent[];
  readonly approvals: readonly ApprovalRecord[];
  readonly questions: readonly QuestionRecord[];
  readonly artifacts: readonly RunArtifact[];
  readonly audit: readonly AuditRecord[];
  /** Audit events about the run in the server's chain. */
  readonly refusals: readonly AuditRecord[];
}

/** Builds the evidence pack of a run, in any run status, from a consistent snapshot. */
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

  /** @throws {ApiError} `run_not_found` */
  async build(runId: string, caller: Caller): Promise<EvidencePackView> {
    const { run, state, events, approvals, questions, artifacts, audit, refusals } = await this.loadSources(runId);
    await yieldToEventLoop();
    const recordedFacts = collectRecordedFacts(events);
    await yieldToEventLoop();
    const [workflow, ...earlierVersions] = await Promise.all(
      [run.workflowVersion, ...findEarlierVersions(run, events)].map((version) =>
        this.buildWorkflowView(run.workflowId, version, recordedFacts.deployers),
      ),
    );
    if (workflow === undefined) throw new Error('A run must have a workflow version.');
    const projection = await runTimeSliced(new StepProjection().applyAllInPieces(events));
    const eventViews = await runTimeSliced(mapInPieces(events, toEvidenceEventView));
    const approvalViews = await runTimeSliced(
      mapInPieces([...approvals].sort(compareByRequestTime), (approval) => {
        const historyEntry = recordedFacts.approvals.get(approval.approvalId);
        return historyEntry === undefined
          ? []
          : [toEvidenceApprovalView(approval, historyEntry, recordedFacts.startedBy)];
      }),
    );
    const steps = projection.listSteps();
    const { startedBy } = recordedFacts;
    const artifactVersions = [...recordedFacts.artifacts.values()].map(toEvidenceArtifactView);
    const { engine: _engine, ...detail } = toRunDetailView(run, projection.inputs, state.variables, steps, artifacts);
    await yieldToEventLoop();
    const agentWork = collectAgentWork(state, events, approvals);
    await yieldToEventLoop();
    const decisionFiles = await findDecisionFiles(this.storage, events);
    const definitions = await findUsedDefinitions(this.definitions, events);
    await yieldToEventLoop();
    const gaps = findCoverageGaps(events);
    return {
      schema: EVIDENCE_PACK_SCHEMA,
      generatedAt: toTimestamp(this.clock.now()),
      generatedBy: caller.actor.id,
      server: {
        version: this.settings.serverVersion,
        instanceId: (await this.engine.status()).instanceId,
        serverId: await this.signingKeys.getServerId(),
      },
      run: { ...detail, startedBy, artifacts: selectNewestVersionViews(artifacts, artifactVersions) },
      workflow,
      earlierVersions,
      decisionFiles,
      steps,
      approvals: approvalViews.flat(),
      signingKeys: await this.findSigningKeys([...recordedFacts.approvals.values()]),
      questions: questions.flatMap((question) => {
        const historyEntry = recordedFacts.questions.get(question.questionId);
        return historyEntry === undefined ? [] : [toEvidenceQuestionView(question, historyEntry)];
      }),
      agentWork,
      definitions,
      artifacts: artifactVersions,
      events: eventViews,
      auditEvents: audit.map(toEvidenceAuditEventView),
      refusals: refusals.map(toEvidenceAuditEventView),
      chain: {
        algorithm: 'sha256',
        canonicalisation: 'RFC 8785',
        genesis: GENESIS_HASH,
        runHead: findChainHead(events),
        auditHead: findChainHead(audit),
      },
      notCovered: gaps.map(({ code, events: positions, explanation }) => ({
        code,
        events: [...positions],
        explanation,
      })),
    };
  }

  /** Returns the keys that votes are signed with, oldest first. */
  private async findSigningKeys(approvals: readonly ApprovalInHistory[]): Promise<EvidencePackView['signingKeys']> {
    const keyIds = new Set(approvals.flatMap(({ votes }) => votes.flatMap(({ keyId }) => keyId ?? [])));
    if (keyIds.size === 0) return [];
    const keys = await this.signingKeys.findKeys([...keyIds]);
    return [...keys]
      .sort((a, b) => a.createdAt - b.createdAt || (a.keyId < b.keyId ? -1 : 1))
      .map(toEvidenceSigningKeyView);
  }

  private async buildWorkflowView(
    workflowId: string,
    version: number,
    deployers: ReadonlyMap<number, string>,
  ): Promise<EvidenceWorkflowView> {
    const found = await this.storage.findWorkflowVersion(workflowId, version);
    if (found === undefined) throw new Error(`Version ${version} of workflow "${workflowId}" is not stored.`);
    const { digest, bpmnXml, deployedAt } = found;
    return {
      workflowId,
      version,
      digest,
      bpmnXml,
      deployedAt: toTimestamp(deployedAt),
      deployedBy: deployers.get(version) ?? null,
    };
  }

  /**
   * Repeats the reads until the run does not change between them. After the last attempt, audit events of later run
   * events are omitted.
   */
  private async loadSources(runId: string): Promise<EvidenceSources> {
    for (let attempt = 1; ; attempt += 1) {
      const found = await this.runs.find(runId);
      await yieldToEventLoop();
      const [events, approvals, questions, artifacts, auditRecords] = await Promise.all([
        loadAllEvents(this.storage, runId, found.state.seq),
        loadRunApprovals(this.storage, runId),
        this.storage.listRunQuestions(runId),
        this.storage.listArtifacts(runId),
        loadAllAudit(this.storage, runId),
      ]);
      const current = await this.storage.findRun(runId);
      if (current?.state === found.stateText || attempt === MAX_ATTEMPTS) {
        // The pack contains only some entries of the server's chain, so each of them is verified individually.
        const audit = auditRecords.filter(
          (record) => record.runId === runId && Number(record.target['eventSeq']) <= found.state.seq,
        );
        const refusals = auditRecords.filter((record) => record.runId !== runId);
        return { ...found, events, approvals, questions, artifacts, audit, refusals };
      }
    }
  }
}

/** Returns the agent work by step, in the order of the first turn of each step. */
function collectAgentWork(
  { openSteps }: RunSnapshot,
  events: readonly RunEvent[],
  approvals: readonly ApprovalRecord[],
): EvidencePackView['agentWork'] {
  const stepIds = new Set(
    events.flatMap(({ type, stepId }) =>
      (type === 'agent.turn' || type === 'agent.response_discarded') && stepId !== null ? [stepId] : [],
    ),
  );
  const activeStepIds = new Set(openSteps.map(({ stepId }) => stepId));
  return [...stepIds].flatMap((stepId) => {
    const work = buildAgentStepWork(
      events.filter((event) => event.stepId === stepId),
      approvals,
      !activeStepIds.has(stepId),
    );
    return work === undefined ? [] : [{ stepId, ...work }];
  });
}

/** Returns the other workflow versions that the run had, in the order in which it was first migrated from them. */
function findEarlierVersions(run: RunRecord, events: readonly RunEvent[]): number[] {
  const formerVersions = events.flatMap((event) => (isRunEvent(event, 'run.migrated') ? [event.data.fromVersion] : []));
  return [...new Set(formerVersions)].filter((version) => version !== run.workflowVersion);
}

function findChainHead(chain: readonly { readonly seq: number; readonly hash: string }[]): {
  seq: number;
  hash: string;
} {
  const last = chain.at(-1);
  return last === undefined ? { seq: 0, hash: GENESIS_HASH } : { seq: last.seq, hash: last.hash };
}

/** Returns the artifact views, built from events, of the newest version of each name. */
function selectNewestVersionViews(
  artifacts: readonly RunArtifact[],
  versions: readonly EvidenceArtifactView[],
): EvidenceArtifactView[] {
  const newestArtifactIds = new Set(findNewestVersions(artifacts).map(({ artifactId }) => artifactId));
  return versions.filter(({ artifactId }) => newestArtifactIds.has(artifactId));
}

function compareByRequestTime(a: ApprovalRecord, b: ApprovalRecord): number {
  return a.requestedAt - b.requestedAt || (a.approvalId < b.approvalId ? -1 : 1);
}
