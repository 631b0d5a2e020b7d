import type {
  NewAbsence,
  ApprovalFilter,
  ChannelMatches,
  DmnDeployment,
  ErasureOutsideRuns,
  IdempotencyKey,
  InboundEvent,
  InboundEventFilter,
  MessageChannel,
  MessageToPublish,
  NextStartTime,
  OutgoingRow,
  PageRequest,
  PeopleFilter,
  PersonToken,
  PolicyDecisionFilter,
  QuestionFilter,
  RefusedEventCount,
  RunFilter,
  RunWrite,
  SettingsChange,
  StartSubscription,
  StartTimerRecord,
  StatisticsFilter,
  StatisticsLimits,
  StoragePort,
  StoredResponse,
  UsersAndGroups,
  WorkflowDeployment,
} from '@countersign/core/ports';
import type { Actor, AuditEntry, NamedActor } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { listCurrentAbsences, endAbsence, findAbsence, listAbsences, setAbsence } from './absences/absence-queries.js';
import { AuditAppender } from './audit/audit-appender.js';
import { appendAudit } from './audit/append-audit.js';
import { eraseServerAudit, listServerErasures } from './audit/erase-audit.js';
import { listAudit, listServerAudit, type AuditFilter } from './audit/list-audit.js';
import { Principals } from './audit/principals.js';
import { findUnknownNames, listGroups, listPeople } from './people/list-people.js';
import { recordPerson } from './people/record-person.js';
import { findPeopleByName, findUserNames } from './people/user-names.js';
import { commitWrites } from './commit/commit-writes.js';
import { LockedRuns } from './commit/locked-runs.js';
import {
  findStoredResponses,
  findRunsOfApprovals,
  findRunsOfQuestions,
  storeResponse,
  loadRuns,
} from './commit/load-runs.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { inTransaction } from './database/transaction.js';
import { saveDecisions } from './decisions/save-decisions.js';
import { findInboundEvent, recordRefusedEvents } from './inbound-events/event-queries.js';
import { listInboundEvents } from './inbound-events/list-inbound-events.js';
import {
  addAnnouncements,
  claimAnnouncements,
  countAnnouncements,
  deleteAnnouncements,
  listRunsWithOpenWork,
} from './announcements/announcement-queries.js';
import {
  countActiveRuns,
  findEngineOfRun,
  countServers,
  findEngineOfWorkflow,
  listEnginesOfActiveRuns,
  moveWorkflow,
  recordServer,
  removeServer,
} from './engines/engine-register-queries.js';
import { recordInboundEvent } from './inbound-events/record-inbound-event.js';
import {
  claimJobs,
  findEverClaimedJobs,
  findLeasedJobs,
  nextJobDelay,
  releaseJobs,
  renewLeases,
  takeJob,
} from './jobs/job-leases.js';
import { matchMessages } from './messages/match-messages.js';
import { getChannelLock, getStartKeyLock } from './messages/message-locks.js';
import {
  claimChannels,
  countBufferedMessages,
  expireMessages,
  findMessageReceipt,
  refuseMessage,
  markChannelIdle,
} from './messages/message-queries.js';
import { publishMessage } from './messages/publish-message.js';
import {
  claimOutgoing,
  findPendingContributors,
  findSignalSubscriptions,
  insertOutgoing,
  postponeOutgoing,
  deleteDelivered,
} from './outbox/outbox-queries.js';
import { countApprovals, findApproval, listApprovals, listInbox } from './queries/approval-queries.js';
import { listChangesAfter, getFeedPosition } from './queries/change-feed.js';
import {
  findDecisionFile,
  findDecisionsOfFile,
  findDecisionVersion,
  findNewestDecisions,
  listDecisions,
  listDecisionVersions,
} from './queries/decision-queries.js';
import { LocalChangeBuffer } from './queries/local-change-buffer.js';
import {
  findRunsMentioning,
  findServerAuditMentioning,
  erasePersonOutsideRuns,
} from './personal-data/personal-data-queries.js';
import { loadRunPayloads } from './personal-data/load-run-payloads.js';
import { listPolicyDecisions } from './queries/policy-decision-queries.js';
import { findQuestion, listQuestions, listRunQuestions } from './queries/question-queries.js';
import { findComment, listComments, measureDiscussion } from './queries/comment-queries.js';
import { findArtifact, listAgentEvents, listArtifacts, listRunEvents } from './queries/run-detail-queries.js';
import { countRuns, findRun, findRuns, listRuns } from './queries/run-queries.js';
import {
  advanceStartTimer,
  listDueStartTimers,
  findStartConditions,
  findStartSubscriptions,
  nextStartTimerAt,
} from './queries/start-event-queries.js';
import { listDueTimers, nextTimerAt } from './queries/timer-queries.js';
import { computeWorkflowStatistics } from './queries/workflow-statistics.js';
import {
  findWorkflowVersionByDigest,
  findWorkflowVersion,
  listWorkflows,
  listWorkflowVersions,
} from './queries/workflow-queries.js';
import { changeSettings, loadSettings, loadSettingsRevision } from './settings/settings-store.js';
import { saveWorkflowVersions } from './workflows/save-workflow-versions.js';

type ClaimRequest = Parameters<StoragePort['claimJobs']>[0];

/**
 * StoragePort on PostgreSQL. Commands and the change feed use prepared statements on separate pools; queries use knex
 * on a third pool.
 */
@injectable()
export class PostgresStorage implements StoragePort {
  readonly #principals = new Principals();
  readonly #audit = new AuditAppender(() => this.database.pool);

  readonly #localChanges = new LocalChangeBuffer();
  readonly #lockedRuns = new LockedRuns();

  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {
    database.onLoss(() => this.#localChanges.clear());
  }

  async check(): Promise<void> {
    await this.database.pool.query('SELECT 1');
  }

  loadRuns(runIds: readonly string[]) {
    return loadRuns(this.database.pool, runIds);
  }

  findRunsOfApprovals(approvalIds: readonly string[]) {
    return findRunsOfApprovals(this.database.pool, approvalIds);
  }

  findRunsOfQuestions(questionIds: readonly string[]) {
    return findRunsOfQuestions(this.database.pool, questionIds);
  }

  async commit(writes: readonly RunWrite[]) {
    await this.#principals.recordActors(
      this.database.pool,
      writes.flatMap(({ audit }) => audit),
    );
    try {
      const results = await commitWrites(
        {
          database: this.database.commits,
          runLocks: this.#lockedRuns,
          onCommitted: (txid, written) => this.#localChanges.add(txid, written),
        },
        writes,
      );
      if (results.some((result) => typeof result === 'object')) this.#localChanges.clear();
      return results;
    } catch (error) {
      this.#localChanges.clear();
      throw error;
    }
  }

  findStoredResponses(keys: readonly IdempotencyKey[]) {
    return findStoredResponses(this.database.pool, keys);
  }

  storeResponse(response: IdempotencyKey & StoredResponse) {
    return storeResponse(this.database.pool, response);
  }

  async publishMessage(message: MessageToPublish, leaseMs: number) {
    return inTransaction(this.database.pool, (transaction) => publishMessage(transaction, message, leaseMs), {
      locks: [getChannelLock(message)],
    });
  }

  matchMessages(channel: MessageChannel, now: number) {
    return matchMessages(this.database.pool, channel, now);
  }

  markChannelIdle(channel: MessageChannel, channelMatches: Omit<ChannelMatches, 'matches'>) {
    if (channelMatches.blockedWorkflowIds.length === 0)
      return markChannelIdle(this.database.pool, channel, channelMatches);
    const locks = channelMatches.blockedWorkflowIds.map((workflowId) =>
      getStartKeyLock(workflowId, channel.correlationKey),
    );
    return inTransaction(this.database.pool, (transaction) => markChannelIdle(transaction, channel, channelMatches), {
      locks,
    });
  }

  refuseMessage(messageId: string, workflowId: string) {
    return refuseMessage(this.database.pool, messageId, workflowId);
  }

  findMessageReceipt(messageId: string, now: number, options: { forget: boolean }) {
    return findMessageReceipt(this.database.pool, messageId, now, options);
  }

  claimChannels(request: { limit: number; leaseMs: number }) {
    return claimChannels(this.database.pool, request);
  }

  expireMessages(now: number, leaseMs: number, limit: number) {
    return expireMessages(this.database.pool, now, leaseMs, limit);
  }

  countBufferedMessages(now: number) {
    return countBufferedMessages(this.database.pool, now);
  }

  recordInboundEvent(event: InboundEvent, options: Parameters<StoragePort['recordInboundEvent']>[1]) {
    return recordInboundEvent(this.database.pool, event, options);
  }

  recordRefusedEvents(refusals: readonly RefusedEventCount[]) {
    return recordRefusedEvents(this.database.pool, refusals);
  }

  listInboundEvents(filter: InboundEventFilter, page: PageRequest) {
    return listInboundEvents(this.database.knex, filter, page);
  }

  findInboundEvent(eventId: string) {
    return findInboundEvent(this.database.pool, eventId);
  }

  async send(messages: readonly OutgoingRow[], audit: AuditEntry) {
    await this.#principals.recordActors(this.database.pool, [audit]);
    await inTransaction(this.database.pool, async (transaction) => {
      await insertOutgoing(transaction, messages, audit.actor);
      await appendAudit(transaction, [audit]);
    });
  }

  claimOutgoing(request: { limit: number; leaseMs: number; excludedRunIds?: readonly string[] }) {
    return claimOutgoing(this.database.pool, request);
  }

  postponeOutgoing(messageId: string, pauseMs: number) {
    return postponeOutgoing(this.database.pool, messageId, pauseMs);
  }

  findPendingContributors(rootRunId: string) {
    return findPendingContributors(this.database.pool, rootRunId);
  }

  deleteDelivered(messageIds: readonly string[]) {
    return deleteDelivered(this.database.pool, messageIds);
  }

  findSignalSubscriptions(messageId: string, signalName: string, after: number, limit: number) {
    return findSignalSubscriptions(this.database.pool, messageId, signalName, after, limit);
  }

  claimJobs(request: ClaimRequest) {
    return claimJobs(this.database.pool, request);
  }

  renewLeases(owner: string, jobIds: readonly string[], leaseMs: number) {
    return renewLeases(this.database.pool, owner, jobIds, leaseMs);
  }

  takeJob(jobId: string, attempt: number, owner: string) {
    return takeJob(this.database.pool, jobId, attempt, owner);
  }

  claimAnnouncements(request: Parameters<StoragePort['claimAnnouncements']>[0]) {
    return claimAnnouncements(this.database.pool, request);
  }

  deleteAnnouncements(accepted: Parameters<StoragePort['deleteAnnouncements']>[0]) {
    return deleteAnnouncements(this.database.pool, accepted);
  }

  countAnnouncements(engine: string) {
    return countAnnouncements(this.database.pool, engine);
  }

  addAnnouncements(engine: string, runIds: readonly string[]) {
    return addAnnouncements(this.database.pool, engine, runIds);
  }

  listRunsWithOpenWork(request: Parameters<StoragePort['listRunsWithOpenWork']>[0]) {
    return listRunsWithOpenWork(this.database.pool, request);
  }

  recordServer(server: Parameters<StoragePort['recordServer']>[0]) {
    return recordServer(this.database.pool, server);
  }

  removeServer(serverId: string) {
    return removeServer(this.database.pool, serverId);
  }

  countServers(maxAgeMs: number) {
    return countServers(this.database.pool, maxAgeMs);
  }

  findEngineOfWorkflow(workflowId: string) {
    return findEngineOfWorkflow(this.database.pool, workflowId);
  }

  async moveWorkflow(move: Parameters<StoragePort['moveWorkflow']>[0]) {
    await this.#principals.recordActors(this.database.pool, [move.audit]);
    return inTransaction(this.database.pool, (transaction) => moveWorkflow(transaction, move));
  }

  findEngineOfRun(runId: string) {
    return findEngineOfRun(this.database.pool, runId);
  }

  countActiveRuns(workflowId: string) {
    return countActiveRuns(this.database.pool, workflowId);
  }

  listEnginesOfActiveRuns() {
    return listEnginesOfActiveRuns(this.database.pool);
  }

  findLeasedJobs(owner: string, jobIds: readonly string[]) {
    return findLeasedJobs(this.database.pool, owner, jobIds);
  }

  releaseJobs(owner: string) {
    return releaseJobs(this.database.pool, owner);
  }

  findEverClaimedJobs(jobIds: readonly string[]) {
    return findEverClaimedJobs(this.database.pool, jobIds);
  }

  nextJobDelay(jobTypes: readonly string[]) {
    return nextJobDelay(this.database.pool, jobTypes);
  }

  listDueTimers(now: number, limit: number, excludedRunIds?: readonly string[]) {
    return listDueTimers(this.database.knex, now, limit, excludedRunIds);
  }

  nextTimerAt(after?: number) {
    return nextTimerAt(this.database.knex, after);
  }

  findStartSubscriptions(kind: StartSubscription['kind'], name: string) {
    return findStartSubscriptions(this.database.pool, kind, name);
  }

  findStartConditions(limit: number, workflowId?: string) {
    return findStartConditions(this.database.pool, limit, workflowId);
  }

  listDueStartTimers(now: number, limit: number) {
    return listDueStartTimers(this.database.pool, now, limit);
  }

  nextStartTimerAt(after?: number) {
    return nextStartTimerAt(this.database.pool, after);
  }

  advanceStartTimer(timer: StartTimerRecord, next: NextStartTime | null) {
    return advanceStartTimer(this.database.pool, timer, next);
  }

  async saveWorkflowVersions(deployments: readonly WorkflowDeployment[]) {
    await this.#principals.recordActors(
      this.database.pool,
      deployments.map(({ audit }) => audit),
    );
    const saved = await inTransaction(this.database.pool, (transaction) =>
      saveWorkflowVersions(transaction, deployments),
    );
    return Promise.all(
      saved.map(async ({ number, created }, index) => {
        const deployedVersion = deployments[index]?.version;
        if (deployedVersion === undefined) throw new Error('more versions were saved than deployed');
        const version = await findWorkflowVersion(this.database.knex, deployedVersion.workflowId, number);
        return { version: version ?? { ...deployedVersion, version: number }, created };
      }),
    );
  }

  findWorkflowVersion(workflowId: string, version?: number) {
    return findWorkflowVersion(this.database.knex, workflowId, version);
  }

  findWorkflowVersionByDigest(workflowId: string, digest: string) {
    return findWorkflowVersionByDigest(this.database.knex, workflowId, digest);
  }

  listWorkflowVersions(workflowId: string) {
    return listWorkflowVersions(this.database.knex, workflowId);
  }

  listWorkflows(page: PageRequest) {
    return listWorkflows(this.database.knex, page);
  }

  async saveDecisions(deployment: DmnDeployment) {
    await this.#principals.recordActors(
      this.database.pool,
      deployment.decisions.map(({ audit }) => audit),
    );
    const created = await inTransaction(this.database.pool, (transaction) => saveDecisions(transaction, deployment));
    const stored = new Map(
      (await findDecisionsOfFile(this.database.knex, deployment.digest)).map((each) => [each.decisionId, each]),
    );
    return { decisions: deployment.decisions.flatMap(({ version }) => stored.get(version.decisionId) ?? []), created };
  }

  findDecisionVersion(decisionId: string, version?: number) {
    return findDecisionVersion(this.database.knex, decisionId, version);
  }

  findNewestDecisions(decisionIds: readonly string[]) {
    return findNewestDecisions(this.database.knex, decisionIds);
  }

  findDecisionFile(digest: string) {
    return findDecisionFile(this.database.knex, digest);
  }

  listDecisionVersions(decisionId: string) {
    return listDecisionVersions(this.database.knex, decisionId);
  }

  listDecisions(page: PageRequest) {
    return listDecisions(this.database.knex, page);
  }

  findRun(runId: string) {
    return findRun(this.database.knex, runId);
  }

  findRuns(runIds: readonly string[]) {
    return findRuns(this.database.knex, runIds);
  }

  listRuns(filter: RunFilter, page: PageRequest) {
    return listRuns(this.database.knex, filter, page);
  }

  computeWorkflowStatistics(filter: StatisticsFilter, limits: StatisticsLimits, timeoutMs: number) {
    return computeWorkflowStatistics(this.database.knex, filter, limits, timeoutMs);
  }

  countRuns(filter: RunFilter, maxCount: number) {
    return countRuns(this.database.knex, filter, maxCount);
  }

  findApproval(approvalId: string) {
    return findApproval(this.database.knex, approvalId);
  }

  listApprovals(filter: ApprovalFilter, page: PageRequest) {
    return listApprovals(this.database, filter, page);
  }

  listInbox(filter: ApprovalFilter, page: PageRequest, reader: Pick<Actor, 'type' | 'id'>) {
    return listInbox(this.database, filter, page, reader);
  }

  countApprovals(filter: ApprovalFilter, maxCount: number) {
    return countApprovals(this.database, filter, maxCount);
  }

  listApprovalComments(approvalId: string, page: PageRequest) {
    return listComments(this.database.knex, approvalId, page);
  }

  findApprovalComment(approvalId: string, commentId: string) {
    return findComment(this.database.knex, approvalId, commentId);
  }

  measureDiscussion(approvalId: string, author: Pick<Actor, 'type' | 'id'>) {
    return measureDiscussion(this.database.knex, approvalId, author);
  }

  listPolicyDecisions(filter: PolicyDecisionFilter, page: PageRequest) {
    return listPolicyDecisions(this.database.knex, filter, page);
  }

  findQuestion(questionId: string) {
    return findQuestion(this.database.knex, questionId);
  }

  listQuestions(filter: QuestionFilter, page: PageRequest) {
    return listQuestions(this.database.knex, filter, page);
  }

  listRunQuestions(runId: string) {
    return listRunQuestions(this.database.knex, runId);
  }

  listAgentEvents(runId: string, stepId: string, types?: readonly string[]) {
    return listAgentEvents(this.database.knex, runId, stepId, types);
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
    await this.#principals.recordActors(this.database.pool, entries);
    await this.#audit.append(entries);
  }

  settingsRevision() {
    return loadSettingsRevision(this.database.pool);
  }

  loadSettings() {
    return loadSettings(this.database.pool);
  }

  async changeSettings(change: SettingsChange) {
    await this.#principals.recordActors(this.database.pool, change.audit);
    return inTransaction(this.database.pool, (transaction) => changeSettings(transaction, change));
  }

  listAudit(filter: AuditFilter, limit: number) {
    return listAudit(this.database.knex, filter, limit);
  }

  listServerAudit(after: number, limit: number) {
    return listServerAudit(this.database.knex, after, limit);
  }

  findRunPayloads(runId: string) {
    return loadRunPayloads(this.database.pool, runId);
  }

  async eraseServerAudit(positions: readonly number[], entry: AuditEntry) {
    await this.#principals.recordActors(this.database.pool, [entry]);
    await inTransaction(this.database.pool, (transaction) => eraseServerAudit(transaction, positions, entry));
  }

  findRunsMentioning(person: Required<NamedActor>, range: Parameters<StoragePort['findRunsMentioning']>[1]) {
    return findRunsMentioning(this.database.pool, person, range);
  }

  findServerAuditMentioning(person: Required<NamedActor>) {
    return findServerAuditMentioning(this.database.pool, person);
  }

  async erasePersonOutsideRuns({ positions, ...erasure }: ErasureOutsideRuns, entry: AuditEntry) {
    await this.#principals.recordActors(this.database.pool, [entry]);
    await inTransaction(this.database.pool, async (transaction) => {
      const hasChanges = await erasePersonOutsideRuns(transaction, erasure);
      if (hasChanges || positions.length > 0) await eraseServerAudit(transaction, positions, entry);
    });
    this.#principals.forget(erasure.person.id);
  }

  listServerErasures(after: number) {
    return listServerErasures(this.database.knex, after);
  }

  async setAbsence(absence: NewAbsence, audit: AuditEntry) {
    await this.#principals.recordActors(this.database.pool, [audit]);
    return inTransaction(this.database.pool, (transaction) => setAbsence(transaction, absence, audit));
  }

  async endAbsence(subject: string, audit: AuditEntry) {
    await this.#principals.recordActors(this.database.pool, [audit]);
    return inTransaction(this.database.pool, (transaction) => endAbsence(transaction, subject, audit));
  }

  findAbsence(subject: string) {
    return findAbsence(this.database.pool, subject);
  }

  recordPerson(token: PersonToken) {
    return recordPerson(this.database.pool, token);
  }

  findUserNames(id: string) {
    return findUserNames(this.database.pool, id);
  }

  findPeopleByName(name: string) {
    return findPeopleByName(this.database.pool, name);
  }

  listPeople(filter: PeopleFilter, page: PageRequest) {
    return listPeople(this.database.pool, filter, page);
  }

  listGroups(filter: PeopleFilter, page: PageRequest) {
    return listGroups(this.database.pool, filter, page);
  }

  findUnknownNames(names: UsersAndGroups) {
    return findUnknownNames(this.database.pool, names);
  }

  listCurrentAbsences(filter: Parameters<StoragePort['listCurrentAbsences']>[0]) {
    return listCurrentAbsences(this.database.pool, filter);
  }

  listAbsences(page: PageRequest) {
    return listAbsences(this.database.knex, page);
  }

  getFeedPosition() {
    return getFeedPosition(this.database.feed);
  }

  listChangesAfter(position: string, limit: number) {
    return listChangesAfter(this.database.feed, this.#localChanges, position, limit);
  }
}
