import type { Run } from '@countersign/contract';
import type { ReceivedEvent } from '@countersign/core';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { waitUntil } from '@countersign/testing';
import type { People } from './drive-workload.spec.support.js';
import { retryOnServerLoss, retryUntilDone } from './retry-until-done.spec.support.js';
import type { RestartingServer } from './restarting-server.spec.support.js';
import { MESSAGING_DECISIONS, MESSAGING_WORKFLOWS } from './messaging-workflows.js';

/** Number of saves so far; each save stores a different value. */
let saveCount = 0;

/** All runs of one deployment by workflow id, after the runs have ended. */
export type MessagingRuns = ReadonlyMap<string, readonly Run[]>;

/**
 * Saves a setting, and has runs start, call and message each other. One run is cancelled together with its child run,
 * and its effects are compensated.
 *
 * @param deployment text of a comment in the files, so that each deployment creates separate versions
 */
export async function driveMessaging(
  server: RestartingServer,
  { admin, vera, otto }: People,
  deployment: string,
): Promise<MessagingRuns> {
  await retryOnServerLoss(() =>
    admin.deployDecisions({
      body: MESSAGING_DECISIONS.replace('</definitions>', `<!-- ${deployment} --></definitions>`),
    }),
  );
  const body = MESSAGING_WORKFLOWS.replace('</bpmn:definitions>', `<!-- ${deployment} --></bpmn:definitions>`);
  const { version, workflowId, alsoDeployed } = await retryOnServerLoss(() => admin.deployWorkflow({ body }));
  const stuckAfter = `PT${60 + (saveCount += 1)}S`;
  const getSavedStuckAfter = async () =>
    (await admin.getSettings()).items.find(({ key }) => key === 'Runs:StuckAfter')?.value;
  await retryUntilDone(
    async () => (await getSavedStuckAfter()) === stuckAfter,
    () => admin.updateSettings({ body: { values: { 'Runs:StuckAfter': stuckAfter } } }),
  );
  const listRuns = async (id: string): Promise<readonly Run[]> =>
    (await vera.listRuns({ workflowId: id, workflowVersion: version })).items;
  const waitUntilEnded = (id: string) =>
    waitUntil(`a run of "${id}" ends`, async () => (await listRuns(id)).some(({ outcome }) => outcome !== null));
  const start = async (id: string): Promise<string> =>
    (
      await vera.startRun(
        { body: { workflowId: id, inputs: { amount: 3, key: randomUUID() } } },
        { idempotencyKey: randomUUID() },
      )
    ).runId;

  const [talkRunId, undoRunId] = [await start('talk'), await start('undo')];
  await waitUntil('the run waits for its signal', async () =>
    (await vera.getRun({ runId: talkRunId })).waitingFor.some(({ elementId }) => elementId === 'listen'),
  );
  await server.request({ type: 'broadcast', signalName: 'news' });
  await waitUntil('the child run waits', async () =>
    (await listRuns('hold')).some(({ waitingFor }) => waitingFor.length > 0),
  );
  await retryUntilDone(
    async () => (await vera.listArtifacts({ runId: undoRunId })).items.length > 0,
    () => otto.uploadArtifact({ runId: undoRunId, artifactName: 'note.txt', body, contentType: 'text/plain' }),
  );
  const [holdRun] = await listRuns('hold');
  await waitUntil('the child run records the contributor', async () =>
    (await vera.listRunEvents({ runId: holdRun?.runId ?? '' })).items.some(({ type }) => type === 'contributors.added'),
  );
  await retryUntilDone(
    async () =>
      (await vera.listRunEvents({ runId: undoRunId })).items.some(({ type }) => type === 'run.cancel_requested'),
    () => otto.cancelRun({ runId: undoRunId, body: { reason: 'not wanted' } }),
  );
  const key = randomUUID();
  const deliver = (messageName: string) =>
    server.request<ReceivedEvent>({
      type: 'deliver',
      messageName,
      correlationKey: key,
      idempotencyKey: `${messageName} ${key}`,
      payload: { key },
    });
  const { startedRunIds } = await deliver('call');
  expect(startedRunIds).to.have.length(1);
  await waitUntil('the run of "heed" waits', async () =>
    (await listRuns('heed')).some(({ waitingFor }) => waitingFor.length > 0),
  );
  expect((await deliver('answered')).resumedRunIds).to.deep.equal(startedRunIds);
  expect(await deliver('answered')).to.deep.include({ resumedRunIds: startedRunIds, duplicate: true });
  const idempotencyKey = randomUUID();
  const evaluate = () =>
    retryOnServerLoss(() => vera.evaluateConditions({ body: { variables: { stock: 2 } } }, { idempotencyKey }));
  const evaluatedRuns = await evaluate();
  expect(evaluatedRuns.runs.map((run) => run.workflowId)).to.deep.equal(['recount', 'restock']);
  expect(await evaluate()).to.deep.equal(evaluatedRuns);
  const workflowIds = [workflowId, ...alsoDeployed.map((each) => each.workflowId)];
  for (const id of workflowIds) if (id !== 'stillborn') await waitUntilEnded(id);
  return new Map(await Promise.all(workflowIds.map(async (id) => [id, await listRuns(id)] as const)));
}
