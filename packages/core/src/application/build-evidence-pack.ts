import { inject, injectable } from 'inversify';
import type { AuditRecord } from '../domain/audit.js';
import { GENESIS_HASH, type RunEvent } from '../domain/run-event.js';
import { ClockPort } from '../ports/clock.js';
import { EnginePort } from '../ports/engine.js';
import type { ApprovalRecord, RunArtifact, RunRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { ApplicationSettings } from './application-settings.js';
import type { Caller } from './caller.js';
import { decisionFilesOf } from './decision-files.js';
import { EVIDENCE_PACK_SCHEMA, type EvidencePackView, type EvidenceWorkflowView } from './evidence-pack.js';
import { StepProjection } from './project-steps.js';
import { RunQueries, variablesOf, type RunAtOnce } from './run-queries.js';
import { approvalRecordView } from './views/approval-view.js';
import { artifactView } from './views/artifact-view.js';
import { timestamp } from './views/as-response.js';
import { evidenceAuditEventView } from './views/audit-view.js';
import { evidenceEventView } from './views/event-view.js';
import { runDetailView } from './views/run-detail-view.js';

const PAGE = 1_000;
const APPROVALS_PAGE = 200;
const TRIES = 5;

interface Material extends RunAtOnce {
  readonly events: readonly RunEvent[];
  readonly approvals: readonly ApprovalRecord[];
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
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(RunQueries) private readonly runs: RunQueries,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(ApplicationSettings) private readonly settings: ApplicationSettings,
  ) {}

  /** @throws {CountersignError} `run_not_found` */
  async build(runId: string, caller: Caller): Promise<EvidencePackView> {
    const { run, state, events, approvals, artifacts, audit, refusals } = await this.gather(runId);
    const [workflow, ...earlierVersions] = await Promise.all([run.workflowVersion, ...earlier(run, events)].map((version) => this.workflow(run.workflowId, version)));
    if (workflow === undefined) throw new Error('a run is on a version');
    const projection = new StepProjection().fold(events);
    const steps = projection.ordered();
    return {
      schema: EVIDENCE_PACK_SCHEMA,
      generatedAt: timestamp(this.clock.now()),
      generatedBy: caller.actor.id,
      server: { version: this.settings.serverVersion, instanceId: this.engine.status().instanceId },
      run: runDetailView(run, projection.inputs, variablesOf(state), steps, artifacts),
      workflow,
      earlierVersions,
      decisionFiles: await decisionFilesOf(this.storage, events),
      steps,
      approvals: [...approvals].sort(byRequest).map(approvalRecordView),
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
      const [events, approvals, artifacts, about] = await Promise.all([
        this.allEvents(runId, found.state.seq),
        this.allApprovals(runId),
        this.storage.listArtifacts(runId),
        this.allAudit(runId),
      ]);
      const after = await this.runs.find(runId);
      if (after.state.seq === found.state.seq || attempt === TRIES) {
        // What the server's chain holds can't be checked for gaps here, but each entry by itself.
        const audit = about.filter((record) => record.runId === runId);
        const refusals = about.filter((record) => record.runId !== runId);
        return { ...found, events, approvals, artifacts, audit, refusals };
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

  private async allApprovals(runId: string): Promise<ApprovalRecord[]> {
    const approvals: ApprovalRecord[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await this.storage.listApprovals({ runId }, { limit: APPROVALS_PAGE, ...(cursor === undefined ? {} : { cursor }) });
      approvals.push(...page.items);
      cursor = page.nextCursor;
    }
    return approvals;
  }

  private async allAudit(runId: string): Promise<AuditRecord[]> {
    const records: AuditRecord[] = [];
    for (let page = PAGE; page === PAGE; ) {
      const before = records.at(-1)?.auditId;
      const older = await this.storage.listAudit({ runId, ...(before === undefined ? {} : { before }) }, PAGE);
      records.push(...older);
      page = older.length;
    }
    return records.sort((a, b) => a.seq - b.seq);
  }
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
