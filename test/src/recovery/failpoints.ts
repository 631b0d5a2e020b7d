import { COMMAND_ACTIONS, type CommandAction } from '@countersign/engine-embedded';
import type { RunWrite, StoragePort } from '@countersign/core';

type Method<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T];

/**
 * Effect of each storage method on the database: none (`read`); a command, known by its audit action (`command`);
 * another write (`write`), which has failpoints under its own name; or only moving leases, or recording data that would
 * be found again the same way, or that no client was promised (`lease`): a process that dies there leaves the same
 * state as one that dies between two commits. A new method does not compile until it is listed here.
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
  messageReceipt: 'write',
  changeSettings: 'write',
  setAbsence: 'write',
  endAbsence: 'write',
  claimJobs: 'write',
  claimOutgoing: 'write',
  renewLeases: 'lease',
  releaseJobs: 'lease',
  postponeOutgoing: 'lease',
  claimChannels: 'lease',
  refuseMessage: 'lease',
  expireMessages: 'lease',
  recordRefusedEvents: 'lease',
  noteUserNames: 'lease',
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
  dueStartTimers: 'read',
  nextStartTimerAt: 'read',
  nextJobDelay: 'read',
  findEverClaimedJobs: 'read',
  findHeldJobs: 'read',
  settingsRevision: 'read',
  loadSettings: 'read',
  dueTimers: 'read',
  nextTimerAt: 'read',
  findWorkflowVersion: 'read',
  findWorkflowByDigest: 'read',
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
  listPolicyDecisions: 'read',
  findQuestion: 'read',
  listQuestions: 'read',
  listRunQuestions: 'read',
  listAgentEvents: 'read',
  listRunEvents: 'read',
  workflowStatistics: 'read',
  listArtifacts: 'read',
  findArtifact: 'read',
  listAudit: 'read',
  listServerAudit: 'read',
  payloadsOf: 'read',
  eraseServerAudit: 'write',
  findRunsNaming: 'read',
  findServerAuditHolding: 'read',
  erasePersonBesideRuns: 'write',
  listServerErasures: 'read',
  findAbsence: 'read',
  absencesNow: 'read',
  userNamesOf: 'read',
  peopleCalled: 'read',
  contributorsUnderWay: 'read',
  listAbsences: 'read',
  feedPosition: 'read',
  changesAfter: 'read',
} as const satisfies Record<Method<StoragePort>, 'command' | 'write' | 'lease' | 'read'>);

type StorageWrite = {
  [K in keyof typeof STORAGE_METHODS]: (typeof STORAGE_METHODS)[K] extends 'write' ? K : never;
}[keyof typeof STORAGE_METHODS];

/**
 * Point at which a server can be killed: before a transaction starts, and after it is durable but before anyone is
 * notified.
 */
export type Failpoint = `${'before' | 'after'}:${CommandAction | StorageWrite}`;

const STORAGE_WRITES = (Object.keys(STORAGE_METHODS) as (keyof typeof STORAGE_METHODS)[]).filter(
  (name): name is StorageWrite => STORAGE_METHODS[name] === 'write',
);

export const FAILPOINTS: readonly Failpoint[] = Object.freeze(
  [...COMMAND_ACTIONS, ...STORAGE_WRITES].flatMap((name) => [`before:${name}`, `after:${name}`] as const),
);

/** Called on every visit; its promise is awaited, even forever. */
export type Visit = (failpoint: Failpoint) => Promise<void> | void;

/** Adds failpoints around every write of a storage. */
export function addFailpoints(storage: StoragePort, visit: Visit): void {
  const commit = storage.commit.bind(storage);
  storage.commit = async (writes) => {
    for (const write of writes) await visit(`before:${actionOf(write)}`);
    const results = await commit(writes);
    for (const [index, write] of writes.entries())
      if (results[index] === 'committed') await visit(`after:${actionOf(write)}`);
    return results;
  };
  around(storage, 'saveWorkflowVersions', 'workflow.deploy', visit);
  around(storage, 'saveDecisions', 'decision.deploy', visit);
  around(storage, 'send', 'signal.broadcast', visit);
  around(storage, 'appendAudit', 'appendAudit', visit);
  around(storage, 'storeResponse', 'storeResponse', visit);
  around(storage, 'deleteDelivered', 'deleteDelivered', visit);
  around(storage, 'advanceStartTimer', 'advanceStartTimer', visit);
  around(storage, 'publishMessage', 'publishMessage', visit);
  around(storage, 'recordInboundEvent', 'recordInboundEvent', visit);
  around(storage, 'markChannelIdle', 'markChannelIdle', visit);
  around(storage, 'messageReceipt', 'messageReceipt', visit);
  around(storage, 'changeSettings', 'changeSettings', visit);
  around(storage, 'setAbsence', 'setAbsence', visit);
  around(storage, 'endAbsence', 'endAbsence', visit);
  around(storage, 'eraseServerAudit', 'eraseServerAudit', visit);
  around(storage, 'erasePersonBesideRuns', 'erasePersonBesideRuns', visit);
  aroundClaim(storage, 'claimJobs', visit);
  aroundClaim(storage, 'claimOutgoing', visit);
}

/** Wraps a claim: if there was nothing to claim, nothing was written. */
function aroundClaim<K extends 'claimJobs' | 'claimOutgoing'>(storage: StoragePort, method: K, visit: Visit): void {
  const claim = (storage[method] as (request: unknown) => Promise<readonly unknown[]>).bind(storage);
  const wrapped = async (request: unknown): Promise<readonly unknown[]> => {
    await visit(`before:${method}`);
    const claimed = await claim(request);
    if (claimed.length > 0) await visit(`after:${method}`);
    return claimed;
  };
  storage[method] = wrapped as StoragePort[K];
}

function around<K extends Method<StoragePort>>(
  storage: StoragePort,
  method: K,
  name: CommandAction | StorageWrite,
  visit: Visit,
): void {
  const write = (storage[method] as (...given: unknown[]) => Promise<unknown>).bind(storage);
  const wrapped = async (...given: unknown[]): Promise<unknown> => {
    await visit(`before:${name}`);
    const result = await write(...given);
    await visit(`after:${name}`);
    return result;
  };
  storage[method] = wrapped as StoragePort[K];
}

/** Returns the action of a command, which writes one audit event. */
function actionOf({ audit }: RunWrite): CommandAction {
  const action = COMMAND_ACTIONS.find((each) => each === audit[0]?.action);
  if (action === undefined || audit.length !== 1)
    throw new Error(`A commit of unknown commands: ${audit.map((each) => each.action).join(', ')}`);
  return action;
}
