import { COMMAND_ACTIONS, type CommandAction } from '@countersign/engine';
import type { RunWrite, StoragePort } from '@countersign/core';

type MethodName<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T];

/**
 * Effect of each storage method on the database. `read` writes nothing. `command` writes a command, identified by its
 * audit action. `write` is any other write; it has failpoints under its own name. `announcement` is a write that only
 * servers with an external engine make; it also has failpoints under its own name. `lease` only moves leases, or records
 * data that would be determined again in the same way or that was not promised to a client: a process that is killed
 * there leaves the same state as one that is killed between two commits. A new method does not compile until it is
 * listed here.
 */
export const STORAGE_METHODS = Object.freeze({
  commit: 'command',
  saveWorkflowVersions: 'command',
  saveDecisions: 'command',
  send: 'command',
  appendAudit: 'write',
  storeResponse: 'write',
  deleteDelivered: 'write',
  advanceStartTimer: 'write',
  publishMessage: 'write',
  recordInboundEvent: 'write',
  markChannelIdle: 'write',
  findMessageReceipt: 'write',
  moveWorkflow: 'write',
  changeSettings: 'write',
  setAbsence: 'write',
  endAbsence: 'write',
  claimJobs: 'write',
  claimOutgoing: 'write',
  deleteAnnouncements: 'announcement',
  takeJob: 'announcement',
  claimAnnouncements: 'lease',
  addAnnouncements: 'lease',
  renewLeases: 'lease',
  recordServer: 'lease',
  removeServer: 'lease',
  releaseJobs: 'lease',
  postponeOutgoing: 'lease',
  claimChannels: 'lease',
  refuseMessage: 'lease',
  expireMessages: 'lease',
  recordRefusedEvents: 'lease',
  recordPerson: 'lease',
  check: 'read',
  loadRuns: 'read',
  findRunsOfApprovals: 'read',
  findRunsOfQuestions: 'read',
  findStoredResponses: 'read',
  matchMessages: 'read',
  countBufferedMessages: 'read',
  findInboundEvent: 'read',
  listInboundEvents: 'read',
  findSignalSubscriptions: 'read',
  findStartSubscriptions: 'read',
  findStartConditions: 'read',
  listDueStartTimers: 'read',
  nextStartTimerAt: 'read',
  countServers: 'read',
  findEngineOfWorkflow: 'read',
  findEngineOfRun: 'read',
  countActiveRuns: 'read',
  listEnginesOfActiveRuns: 'read',
  countAnnouncements: 'read',
  listRunsWithOpenWork: 'read',
  nextJobDelay: 'read',
  findEverClaimedJobs: 'read',
  findLeasedJobs: 'read',
  settingsRevision: 'read',
  loadSettings: 'read',
  listDueTimers: 'read',
  nextTimerAt: 'read',
  findWorkflowVersion: 'read',
  findWorkflowVersionByDigest: 'read',
  listWorkflowVersions: 'read',
  listWorkflows: 'read',
  findDecisionVersion: 'read',
  findNewestDecisions: 'read',
  findDecisionFile: 'read',
  listDecisionVersions: 'read',
  listDecisions: 'read',
  findRun: 'read',
  findRuns: 'read',
  listRuns: 'read',
  countRuns: 'read',
  findApproval: 'read',
  listApprovals: 'read',
  listInbox: 'read',
  countApprovals: 'read',
  listApprovalComments: 'read',
  findApprovalComment: 'read',
  measureDiscussion: 'read',
  listPolicyDecisions: 'read',
  findQuestion: 'read',
  listQuestions: 'read',
  listRunQuestions: 'read',
  listAgentEvents: 'read',
  listRunEvents: 'read',
  computeWorkflowStatistics: 'read',
  listArtifacts: 'read',
  findArtifact: 'read',
  listAudit: 'read',
  listServerAudit: 'read',
  findRunPayloads: 'read',
  eraseServerAudit: 'write',
  findRunsMentioning: 'read',
  findServerAuditMentioning: 'read',
  erasePersonOutsideRuns: 'write',
  listServerErasures: 'read',
  findAbsence: 'read',
  listCurrentAbsences: 'read',
  findUserNames: 'read',
  findPeopleByName: 'read',
  listPeople: 'read',
  listGroups: 'read',
  findUnknownNames: 'read',
  findPendingContributors: 'read',
  listAbsences: 'read',
  getFeedPosition: 'read',
  listChangesAfter: 'read',
} as const satisfies Record<MethodName<StoragePort>, 'command' | 'write' | 'announcement' | 'lease' | 'read'>);

type StorageWrite = {
  [K in keyof typeof STORAGE_METHODS]: (typeof STORAGE_METHODS)[K] extends 'write' | 'announcement' ? K : never;
}[keyof typeof STORAGE_METHODS];

/**
 * Point at which a server can be killed: before a transaction starts, and after it is durable but before anyone is
 * notified.
 */
export type Failpoint = `${'before' | 'after'}:${CommandAction | StorageWrite}`;

const listWrites = (kind: 'write' | 'announcement'): StorageWrite[] =>
  (Object.keys(STORAGE_METHODS) as (keyof typeof STORAGE_METHODS)[]).filter(
    (name): name is StorageWrite => STORAGE_METHODS[name] === kind,
  );

const listFailpoints = (names: readonly (CommandAction | StorageWrite)[]): readonly Failpoint[] =>
  Object.freeze(names.flatMap((name) => [`before:${name}`, `after:${name}`] as const));

/** The failpoints of a server with the embedded engine. */
export const FAILPOINTS: readonly Failpoint[] = listFailpoints([...COMMAND_ACTIONS, ...listWrites('write')]);

/** Additional failpoints of a server with an external engine. */
export const ANNOUNCEMENT_FAILPOINTS: readonly Failpoint[] = listFailpoints(listWrites('announcement'));

/** Function that is called at every visit of a failpoint. Its promise is awaited, even if it never resolves. */
export type Visit = (failpoint: Failpoint) => Promise<void> | void;

/** Adds failpoints around every write of a storage. */
export function addFailpoints(storage: StoragePort, visit: Visit): void {
  const commit = storage.commit.bind(storage);
  storage.commit = async (writes) => {
    for (const write of writes) await visit(`before:${getCommandAction(write)}`);
    const results = await commit(writes);
    for (const [index, write] of writes.entries())
      if (results[index] === 'committed') await visit(`after:${getCommandAction(write)}`);
    return results;
  };
  addMethodFailpoints(storage, 'saveWorkflowVersions', 'workflow.deploy', visit);
  addMethodFailpoints(storage, 'saveDecisions', 'decision.deploy', visit);
  addMethodFailpoints(storage, 'send', 'signal.broadcast', visit);
  addMethodFailpoints(storage, 'appendAudit', 'appendAudit', visit);
  addMethodFailpoints(storage, 'storeResponse', 'storeResponse', visit);
  addMethodFailpoints(storage, 'deleteDelivered', 'deleteDelivered', visit);
  addMethodFailpoints(storage, 'advanceStartTimer', 'advanceStartTimer', visit);
  addMethodFailpoints(storage, 'publishMessage', 'publishMessage', visit);
  addMethodFailpoints(storage, 'recordInboundEvent', 'recordInboundEvent', visit);
  addMethodFailpoints(storage, 'markChannelIdle', 'markChannelIdle', visit);
  addMethodFailpoints(storage, 'findMessageReceipt', 'findMessageReceipt', visit);
  addMethodFailpoints(storage, 'moveWorkflow', 'moveWorkflow', visit);
  addMethodFailpoints(storage, 'changeSettings', 'changeSettings', visit);
  addMethodFailpoints(storage, 'setAbsence', 'setAbsence', visit);
  addMethodFailpoints(storage, 'endAbsence', 'endAbsence', visit);
  addMethodFailpoints(storage, 'eraseServerAudit', 'eraseServerAudit', visit);
  addMethodFailpoints(storage, 'erasePersonOutsideRuns', 'erasePersonOutsideRuns', visit);
  addMethodFailpoints(storage, 'deleteAnnouncements', 'deleteAnnouncements', visit);
  addMethodFailpoints(storage, 'takeJob', 'takeJob', visit);
  addClaimFailpoints(storage, 'claimJobs', visit);
  addClaimFailpoints(storage, 'claimOutgoing', visit);
}

/** Adds failpoints to a claim. A claim without a result writes nothing, so it does not visit the failpoint after it. */
function addClaimFailpoints<K extends 'claimJobs' | 'claimOutgoing'>(
  storage: StoragePort,
  method: K,
  visit: Visit,
): void {
  const claim = (storage[method] as (request: unknown) => Promise<readonly unknown[]>).bind(storage);
  const wrapped = async (request: unknown): Promise<readonly unknown[]> => {
    await visit(`before:${method}`);
    const claimed = await claim(request);
    if (claimed.length > 0) await visit(`after:${method}`);
    return claimed;
  };
  storage[method] = wrapped as StoragePort[K];
}

function addMethodFailpoints<K extends MethodName<StoragePort>>(
  storage: StoragePort,
  method: K,
  name: CommandAction | StorageWrite,
  visit: Visit,
): void {
  const write = (storage[method] as (...callArguments: unknown[]) => Promise<unknown>).bind(storage);
  const wrapped = async (...callArguments: unknown[]): Promise<unknown> => {
    await visit(`before:${name}`);
    const result = await write(...callArguments);
    await visit(`after:${name}`);
    return result;
  };
  storage[method] = wrapped as StoragePort[K];
}

/** Returns the action of a command, which writes one audit event. */
function getCommandAction({ audit }: RunWrite): CommandAction {
  const action = COMMAND_ACTIONS.find((each) => each === audit[0]?.action);
  if (action === undefined || audit.length !== 1)
    throw new Error(
      `The commit has an unknown command, or not exactly one audit event: ${audit.map((each) => each.action).join(', ')}`,
    );
  return action;
}
