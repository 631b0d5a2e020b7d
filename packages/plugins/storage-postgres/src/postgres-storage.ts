import type {
  ApprovalFilter,
  AuditEntry,
  IdempotencyKey,
  PageRequest,
  RunFilter,
  RunWrite,
  StoragePort,
  WorkflowVersionRecord,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { AuditAppender } from './audit/audit-appender.js';
import { listAudit, type AuditFilter } from './audit/list-audit.js';
import { Principals } from './audit/principals.js';
import { commitWrites } from './commit/commit-writes.js';
import { findAnswers, findRunsOfApprovals, loadRuns } from './commit/load-runs.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { inTransaction } from './database/transaction.js';
import { claimJobs, nextJobDelay, releaseJobs, renewLeases } from './jobs/job-leases.js';
import { findApproval, listApprovals } from './queries/approval-queries.js';
import { changesAfter, feedPosition } from './queries/change-feed.js';
import { findArtifact, findSubscriptions, listArtifacts, listRunEvents } from './queries/run-detail-queries.js';
import { findRun, listRuns } from './queries/run-queries.js';
import { dueTimers, nextTimerAt } from './queries/timer-queries.js';
import { findWorkflowByDigest, findWorkflowVersion, listWorkflows, listWorkflowVersions } from './queries/workflow-queries.js';
import { saveWorkflowVersion } from './workflows/save-workflow-version.js';

type Claim = Parameters<StoragePort['claimJobs']>[0];

/** StoragePort on PostgreSQL. Commands go by prepared statements on one pool, queries by knex and objection on another. */
@injectable()
export class PostgresStorage implements StoragePort {
  readonly #principals = new Principals();
  readonly #audit = new AuditAppender(() => this.database.pool);

  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {}

  async check(): Promise<void> {
    await this.database.pool.query('SELECT 1');
  }

  loadRuns(runIds: readonly string[]) {
    return loadRuns(this.database.pool, runIds);
  }

  findRunsOfApprovals(approvalIds: readonly string[]) {
    return findRunsOfApprovals(this.database.pool, approvalIds);
  }

  async commit(writes: readonly RunWrite[]) {
    await this.#principals.note(this.database.pool, writes.flatMap(({ audit }) => audit));
    return commitWrites(this.database.pool, writes);
  }

  findAnswers(keys: readonly IdempotencyKey[]) {
    return findAnswers(this.database.pool, keys);
  }

  findSubscriptions(messageName: string, correlationKey: string) {
    return findSubscriptions(this.database.knex, messageName, correlationKey);
  }

  claimJobs(request: Claim) {
    return claimJobs(this.database.pool, request);
  }

  renewLeases(owner: string, jobIds: readonly string[], leaseMs: number) {
    return renewLeases(this.database.pool, owner, jobIds, leaseMs);
  }

  releaseJobs(owner: string) {
    return releaseJobs(this.database.pool, owner);
  }

  nextJobDelay(jobTypes: readonly string[]) {
    return nextJobDelay(this.database.pool, jobTypes);
  }

  dueTimers(now: number, limit: number) {
    return dueTimers(this.database.knex, now, limit);
  }

  nextTimerAt() {
    return nextTimerAt(this.database.knex);
  }

  async saveWorkflowVersion(version: Omit<WorkflowVersionRecord, 'version'>, audit: AuditEntry) {
    await this.#principals.note(this.database.pool, [audit]);
    const { number, created } = await inTransaction(this.database.pool, (transaction) => saveWorkflowVersion(transaction, version, audit));
    const saved = await findWorkflowVersion(this.database.knex, version.workflowId, number);
    return { version: saved ?? { ...version, version: number }, created };
  }

  findWorkflowVersion(workflowId: string, version?: number) {
    return findWorkflowVersion(this.database.knex, workflowId, version);
  }

  findWorkflowByDigest(workflowId: string, digest: string) {
    return findWorkflowByDigest(this.database.knex, workflowId, digest);
  }

  listWorkflowVersions(workflowId: string) {
    return listWorkflowVersions(this.database.knex, workflowId);
  }

  listWorkflows(page: PageRequest) {
    return listWorkflows(this.database.knex, page);
  }

  findRun(runId: string) {
    return findRun(this.database.knex, runId);
  }

  listRuns(filter: RunFilter, page: PageRequest) {
    return listRuns(this.database.knex, filter, page);
  }

  findApproval(approvalId: string) {
    return findApproval(this.database.knex, approvalId);
  }

  listApprovals(filter: ApprovalFilter, page: PageRequest) {
    return listApprovals(this.database.knex, filter, page);
  }

  listRunEvents(runId: string, after: number, limit: number) {
    return listRunEvents(this.database.knex, runId, after, limit);
  }

  listArtifacts(runId: string) {
    return listArtifacts(this.database.knex, runId);
  }

  findArtifact(runId: string, name: string, version?: number) {
    return findArtifact(this.database.knex, runId, name, version);
  }

  async appendAudit(entries: readonly AuditEntry[]) {
    if (entries.length === 0) return;
    await this.#principals.note(this.database.pool, entries);
    await this.#audit.append(entries);
  }

  listAudit(filter: AuditFilter, limit: number) {
    return listAudit(this.database.knex, filter, limit);
  }

  feedPosition() {
    return feedPosition(this.database.knex);
  }

  changesAfter(position: string, limit: number) {
    return changesAfter(this.database.knex, position, limit);
  }
}
