import type { StoragePort } from '@countersign/core';
import { expect } from 'chai';
import { checkEffects, waitUntilQuiet } from './check-effects.spec.support.js';
import { buildOutline, loadVerifiedAudit, loadVerifiedEvents, verifyErasedRun } from './check-history.spec.support.js';
import { driveAgents } from './drive-agents.spec.support.js';
import { driveMessaging } from './drive-messaging.spec.support.js';
import { driveWorkload, type People } from './drive-workload.spec.support.js';
import type { RestartingServer } from './restarting-server.spec.support.js';

export interface WorkloadEnvironment {
  readonly server: RestartingServer;
  readonly people: People;
  readonly storage: StoragePort;
  readonly connectionString: string;
}

/**
 * Function that executes a workload once and checks its result.
 *
 * @returns the outcome without parts that differ each time, for comparison with an undisturbed execution
 */
export type Workload = (environment: WorkloadEnvironment, deployment: string) => Promise<unknown>;

/** One run that people and programs complete. */
export const approvalWorkload: Workload = async ({ server, people, storage, connectionString }, deployment) => {
  const { runId, cancelledRunId, approvalId } = await driveWorkload(server, people, deployment);
  await waitUntilQuiet(connectionString);
  const outline = await loadVerifiedOutline(storage, runId);
  await verifyErasedRun(storage, cancelledRunId);
  await loadVerifiedAudit(storage, null);
  expect((await storage.findRun(runId))?.run).to.include({ outcome: 'completed', status: 'completed' });
  expect((await storage.findRun(cancelledRunId))?.run).to.include({ outcome: 'cancelled' });
  const approval = await storage.findApproval(approvalId);
  expect(approval).to.include({ status: 'approved' });
  expect(approval?.votes.map(({ by, decision }) => `${by} ${decision}`)).to.deep.equal(['bea approve', 'cem approve']);
  await checkEffects(connectionString, runId, ['finish', 'prepare', 'publish']);
  return outline;
};

const EXPECTED_OUTCOMES = {
  talk: 'completed',
  sell: 'completed',
  order: 'completed',
  inform: 'completed',
  undo: 'cancelled',
  hold: 'cancelled',
  heed: 'completed',
  daily: 'completed',
  restock: 'completed',
  recount: 'completed',
  stillborn: '',
};
const EXPECTED_EFFECTS: Partial<Record<string, readonly string[]>> = { sell: ['offer'], undo: ['book', 'unbook'] };

/** Runs that start, call, message and cancel each other. */
export const messagingWorkload: Workload = async ({ server, people, storage, connectionString }, deployment) => {
  const messagingRuns = await driveMessaging(server, people, deployment);
  await waitUntilQuiet(connectionString);
  const outcomes = [...messagingRuns].map(([workflowId, runs]) => [
    workflowId,
    runs.map(({ outcome }) => outcome).join(),
  ]);
  expect(Object.fromEntries(outcomes), 'one run of each workflow that can start').to.deep.equal(EXPECTED_OUTCOMES);
  await loadVerifiedAudit(storage, null);
  const outline: Record<string, string[]> = {};
  for (const [workflowId, runs] of messagingRuns) {
    for (const { runId } of runs) {
      outline[workflowId] = await loadVerifiedOutline(storage, runId);
      await checkEffects(connectionString, runId, EXPECTED_EFFECTS[workflowId] ?? []);
    }
  }
  const talkRunId = messagingRuns.get('talk')?.[0]?.runId ?? '';
  expect((await people.vera.getRun({ runId: talkRunId })).variables).to.deep.include({ sold: 3, heard: true });
  return outline;
};

/** An agent that makes calls, one with an unknown outcome, and asks questions. */
export const agentWorkload: Workload = async ({ people, storage, connectionString }, deployment) => {
  const runId = await driveAgents(people, deployment);
  const outline = await loadVerifiedOutline(storage, runId);
  expect((await storage.findRun(runId))?.run).to.include({ outcome: 'completed', pendingQuestions: 0 });
  expect((await people.vera.getRun({ runId })).variables).to.deep.equal({ noted: true });
  expect(
    (await storage.listRunQuestions(runId)).map(({ purpose, answer, answeredBy }) => [purpose, answer, answeredBy?.id]),
  ).to.have.deep.members([
    ['outcome', 'done', 'otto'],
    ['ask', '2', 'otto'],
  ]);
  expect((await storage.listArtifacts(runId)).map(({ name, version }) => `${name} ${version}`)).to.deep.equal([
    'report.txt 1',
  ]);
  await checkEffects(connectionString, runId, ['agent changing', 'agent note', 'agent note', 'agent report']);
  // Parallel calls end in any order.
  return outline.toSorted();
};

async function loadVerifiedOutline(storage: StoragePort, runId: string): Promise<string[]> {
  const events = await loadVerifiedEvents(storage, runId);
  await loadVerifiedAudit(storage, runId);
  return buildOutline(events);
}
