import { inject, injectable } from 'inversify';
import {
  type AuditRecord,
  GENESIS_HASH,
  inTurns,
  mapInPieces,
  nextTurn,
  type RunEvent,
  type RunState,
} from '@countersign/model';
import { type ApprovalInHistory, coverageGaps, peopleInHistory } from '@countersign/model/evidence';
import { ClockPort } from '../ports/clock.js';
import { DefinitionStore } from '../ports/definitions.js';
import { EnginePort } from '../ports/engine.js';
import type { ApprovalRecord, QuestionRecord, RunArtifact, RunRecord } from '../ports/records.js';
import { SigningKeyStore } from '../ports/signing-keys.js';
import { StoragePort } from '../ports/storage.js';
import { ApplicationSettings } from './application-settings.js';
import { allAudit, allEvents } from './all-of-run.js';
import { approvalsOfRun } from './approvals-of-run.js';
import type { Caller } from './caller.js';
import { decisionFilesOf } from './decision-files.js';
import { definitionsOf } from './definitions-of.js';
import { EVIDENCE_PACK_SCHEMA, type EvidencePackView, type EvidenceWorkflowView } from './evidence-pack.js';
import { StepProjection } from './project-steps.js';
import { RunQueries, variablesOf, type RunAtOnce } from './run-queries.js';
import { agentStepWork } from './views/agent-work-view.js';
import { newestVersions } from './views/artifact-view.js';
import { timestamp } from './views/as-response.js';
import { evidenceAuditEventView } from './views/audit-view.js';
import {
  evidenceApprovalView,
  evidenceArtifactView,
  evidenceQuestionView,
  type EvidenceArtifactView,
} from './views/evidence-people-view.js';
import { evidenceEventView } from './views/event-view.js';
import { evidenceSigningKeyView } from './views/signing-key-view.js';
import { runDetailView } from './views/run-detail-view.js';

const TRIES = 5;

interface Material extends RunAtOnce {
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
    const { run, state, events, approvals, questions, artifacts, audit, refusals } = await this.gather(runId);
    await nextTurn();
    const people = peopleInHistory(events);
    await nextTurn();
    const [workflow, ...earlierVersions] = await Promise.all(
      [run.workflowVersion, ...earlier(run, events)].map((version) =>
        this.workflow(run.workflowId, version, people.deployers),
      ),
    );
    if (workflow === undefined) throw new Error('a run is on a version');
    const projection = await inTurns(new StepProjection().foldInPieces(events));
    const eventViews = await inTurns(mapInPieces(events, evidenceEventView));
    const approvalViews = await inTurns(
      mapInPieces([...approvals].sort(byRequest), (approval) => {
        const inHistory = people.approvals.get(approval.approvalId);
        return inHistory === undefined ? [] : [evidenceApprovalView(approval, inHistory, people.startedBy)];
      }),
    );
    const steps = projection.ordered();
    const { startedBy } = people;
    const versions = [...people.artifacts.values()].map(evidenceArtifactView);
    const detail = runDetailView(run, projection.inputs, variablesOf(state), steps, artifacts);
    await nextTurn();
    const agentWork = agentWorkOf(state, events, approvals);
    await nextTurn();
    const decisionFiles = await decisionFilesOf(this.storage, events);
    const definitions = await definitionsOf(this.definitions, events);
    await nextTurn();
    const gaps = coverageGaps(events);
    return {
      schema: EVIDENCE_PACK_SCHEMA,
      generatedAt: timestamp(this.clock.now()),
      generatedBy: caller.actor.id,
      server: {
        version: this.settings.serverVersion,
        instanceId: this.engine.status().instanceId,
        serverId: await this.signingKeys.serverId(),
      },
      run: { ...detail, startedBy, artifacts: newestOf(artifacts, versions) },
      workflow,
      earlierVersions,
      decisionFiles,
      steps,
      approvals: approvalViews.flat(),
      signingKeys: await this.keysOf([...people.approvals.values()]),
      questions: questions.flatMap((question) => {
        const inHistory = people.questions.get(question.questionId);
        return inHistory === undefined ? [] : [evidenceQuestionView(question, inHistory)];
      }),
      agentWork,
      definitions,
      artifacts: versions,
      events: eventViews,
      auditEvents: audit.map(evidenceAuditEventView),
      refusals: refusals.map(evidenceAuditEventView),
      chain: {
        algorithm: 'sha256',
        canonicalisation: 'RFC 8785',
        genesis: GENESIS_HASH,
        runHead: headOf(events),
        auditHead: headOf(audit),
      },
      notCovered: gaps.map(({ code, events: positions, explanation }) => ({
        code,
        events: [...positions],
        explanation,
      })),
    };
  }

  /** Returns the keys that votes are signed with, oldest first. */
  private async keysOf(approvals: readonly ApprovalInHistory[]): Promise<EvidencePackView['signingKeys']> {
    const keyIds = new Set(approvals.flatMap(({ votes }) => votes.flatMap(({ keyId }) => keyId ?? [])));
    if (keyIds.size === 0) return [];
    const keys = await this.signingKeys.findKeys([...keyIds]);
    return [...keys]
      .sort((a, b) => a.createdAt - b.createdAt || (a.keyId < b.keyId ? -1 : 1))
      .map(evidenceSigningKeyView);
  }

  private async workflow(
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
      deployedAt: timestamp(deployedAt),
      deployedBy: deployers.get(version) ?? null,
    };
  }

  /**
   * Reads until the run did not change in between. After the last try, the run is cut at the last event that was read.
   */
  private async gather(runId: string): Promise<Material> {
    for (let attempt = 1; ; attempt += 1) {
      const found = await this.runs.find(runId);
      await nextTurn();
      const [events, approvals, questions, artifacts, about] = await Promise.all([
        allEvents(this.storage, runId, found.state.seq),
        approvalsOfRun(this.storage, runId),
        this.storage.listRunQuestions(runId),
        this.storage.listArtifacts(runId),
        allAudit(this.storage, runId),
      ]);
      const after = await this.storage.findRun(runId);
      if (after?.state === found.stateText || attempt === TRIES) {
        // Gaps in the server's chain cannot be checked here; each of its entries is checked on its own.
        const audit = about.filter(
          (record) => record.runId === runId && Number(record.target['eventSeq']) <= found.state.seq,
        );
        const refusals = about.filter((record) => record.runId !== runId);
        return { ...found, events, approvals, questions, artifacts, audit, refusals };
      }
    }
  }
}

/** Returns the agent work by step, in the order in which the steps started. */
function agentWorkOf(
  { instances }: RunState,
  events: readonly RunEvent[],
  approvals: readonly ApprovalRecord[],
): EvidencePackView['agentWork'] {
  const stepIds = new Set(
    events.flatMap(({ type, stepId }) =>
      (type === 'agent.turn' || type === 'agent.response_discarded') && stepId !== null ? [stepId] : [],
    ),
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

/** Returns the other versions that the run was on, in the order in which the run first left them. */
function earlier(run: RunRecord, events: readonly RunEvent[]): number[] {
  const left = events.flatMap(({ type, data }) => (type === 'run.migrated' ? [Number(data['fromVersion'])] : []));
  return [...new Set(left)].filter((version) => version !== run.workflowVersion);
}

function headOf(chain: readonly { readonly seq: number; readonly hash: string }[]): { seq: number; hash: string } {
  const last = chain.at(-1);
  return last === undefined ? { seq: 0, hash: GENESIS_HASH } : { seq: last.seq, hash: last.hash };
}

/** Returns the artifact views, built from events, of the newest version of each name. */
function newestOf(
  artifacts: readonly RunArtifact[],
  versions: readonly EvidenceArtifactView[],
): EvidenceArtifactView[] {
  const newest = new Set(newestVersions(artifacts).map(({ artifactId }) => artifactId));
  return versions.filter(({ artifactId }) => newest.has(artifactId));
}

function byRequest(a: ApprovalRecord, b: ApprovalRecord): number {
  return a.requestedAt - b.requestedAt || (a.approvalId < b.approvalId ? -1 : 1);
}
