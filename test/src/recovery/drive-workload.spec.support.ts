import { ProblemError, type Approval, type Client, type RunDetail } from '@countersign/contract';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { isoTimeIn, waitUntil } from '@countersign/testing';
import { retryOnServerLoss, retryUntilDone } from './retry-until-done.spec.support.js';
import type { RestartingServer } from './restarting-server.spec.support.js';
import { RECOVERY_WORKFLOW } from './recovery-workflow.js';

/** Clients of the participants. */
export interface People {
  readonly admin: Client;
  readonly vera: Client;
  readonly otto: Client;
  readonly ada: Client;
  readonly bea: Client;
  readonly cem: Client;
}

/**
 * Ids from the responses that the workload received. An effect that was acknowledged by a response must not be lost.
 */
export interface AcknowledgedIds {
  readonly runId: string;
  readonly cancelledRunId: string;
  readonly approvalId: string;
}

/** Creates the clients, and lets the people sign in whom others name before they act. */
export async function createPeople(server: RestartingServer): Promise<People> {
  const [admin, vera, otto, ada, bea, cem] = await Promise.all([
    server.client('admin', 'root'),
    server.client('viewer', 'vera'),
    server.client('operator', 'otto'),
    server.client('approver', 'ada'),
    server.client('approver', 'bea'),
    server.client('approver', 'cem'),
  ]);
  await Promise.all([bea, cem].map((client) => retryOnServerLoss(() => client.getMe())));
  return { admin, vera, otto, ada, bea, cem };
}

/**
 * Drives a run through every kind of commit, as people and programs do. If there is no response, a client retries with
 * the same Idempotency-Key. If the route has no such key, the client first checks whether the action was done.
 *
 * @param deployment text of a comment in the BPMN model, so that each deployment is a separate version
 */
export async function driveWorkload(
  server: RestartingServer,
  people: People,
  deployment: string,
  afterFirstVote?: () => Promise<void>,
): Promise<AcknowledgedIds> {
  const { admin, vera, otto, ada, bea, cem } = people;
  const deploy = (comment: string) =>
    retryOnServerLoss(() =>
      admin.deployWorkflow({
        body: RECOVERY_WORKFLOW.replace('</bpmn:definitions>', `<!-- ${comment} --></bpmn:definitions>`),
      }),
    );
  const { version } = await deploy(`${deployment}, before`);
  await deploy(deployment);

  const key = randomUUID();
  const { runId } = await vera.startRun(
    { body: { workflowId: 'recovery', inputs: { amount: 3, key } } },
    { idempotencyKey: randomUUID() },
  );
  const firstApproval = await waitUntil('the first run requests an approval', () => findPendingApproval(vera, runId));
  const cancelledRun = await vera.startRun(
    { body: { workflowId: 'recovery', inputs: { amount: 0, key: randomUUID() } } },
    { idempotencyKey: randomUUID() },
  );
  await waitUntil('the run to be cancelled requests an approval', () => findPendingApproval(vera, cancelledRun.runId));
  await retryUntilDone(
    async () => (await vera.getRun({ runId: cancelledRun.runId })).workflowVersion === version,
    () => otto.migrateRun({ runId: cancelledRun.runId, body: { version } }),
  );
  await retryUntilDone(
    async () => (await vera.getRun({ runId: cancelledRun.runId })).outcome === 'cancelled',
    () => otto.cancelRun({ runId: cancelledRun.runId, body: { reason: 'not wanted' } }),
  );

  // The refusal is recorded in the audit chain of the server, and its personal data is erased as well.
  expect(
    await retryOnServerLoss(() => captureErrorCode(() => otto.recoverRun({ runId: cancelledRun.runId }))),
  ).to.equal('run_already_ended');
  const erasure = { runId: cancelledRun.runId, body: { reason: 'not wanted' } };
  await retryOnServerLoss(() => admin.erasePersonalData(erasure));
  expect(
    await retryOnServerLoss(() => admin.erasePersonalData(erasure)),
    'no personal data is left to erase',
  ).to.deep.include({
    events: [],
    auditEvents: [],
    serverAuditEvents: [],
  });

  const { approvalId } = firstApproval;
  const approval = () => ada.getApproval({ approvalId });
  await retryUntilDone(
    async () => (await approval()).delegations.some(({ to }) => to === 'bea'),
    () => ada.delegateApproval({ approvalId, body: { to: 'bea' } }),
  );
  await retryUntilDone(
    async () => (await approval()).candidateUsers.includes('cem'),
    () => admin.reassignApproval({ approvalId, body: { candidateUsers: ['bea', 'cem'] } }),
  );
  await ada.commentOnApproval({ approvalId, body: { text: 'Which draft?' } }, { idempotencyKey: randomUUID() });
  expect((await vera.listApprovalComments({ approvalId })).items).to.have.length(1);
  await retryUntilDone(
    async () => (await vera.listArtifacts({ runId })).items.some(({ name }) => name === 'notes.txt'),
    () => otto.uploadArtifact({ runId, artifactName: 'notes.txt', body: 'Notes', contentType: 'text/plain' }),
  );
  // Without a substitute, so the rest of the workload is not affected.
  const isAway = async () => (await cem.getMyAbsence()).absence !== null;
  await retryUntilDone(isAway, () => cem.setMyAbsence({ body: { until: isoTimeIn(3_600_000) } }));
  await retryUntilDone(
    async () => !(await isAway()),
    () => cem.endMyAbsence(),
  );
  const isMoved = async () => (await admin.getWorkflowEngine({ workflowId: 'recovery' })).engine !== null;
  const { adapter: engine } = await retryOnServerLoss(() => admin.getEngine());
  await retryUntilDone(isMoved, () => admin.moveWorkflow({ workflowId: 'recovery', body: { engine } }));
  await retryUntilDone(
    async () => !(await isMoved()),
    () => admin.moveWorkflow({ workflowId: 'recovery', body: { engine: null } }),
  );
  // A user who is named only in the absence that an admin sets.
  const guest = `guest-${randomUUID()}`;
  const isKnown = async () => (await admin.listAbsences({ limit: 200 })).items.some(({ subject }) => subject === guest);
  await retryUntilDone(isKnown, () => admin.setAbsence({ subject: guest, body: { until: isoTimeIn(3_600_000) } }));
  await retryUntilDone(
    async () => !(await isKnown()),
    () => admin.erasePerson({ body: { person: guest, reason: 'not wanted' } }),
  );
  const firstVote = await bea.decideApproval(
    { approvalId, body: { decision: 'approve', comment: 'fine' } },
    { idempotencyKey: randomUUID() },
  );
  expect(firstVote.status).to.equal('pending');
  await afterFirstVote?.();
  const secondVote = await cem.decideApproval(
    { approvalId, body: { decision: 'approve', expectedDigest: firstVote.digest } },
    { idempotencyKey: randomUUID() },
  );
  expect(secondVote.status).to.equal('approved');
  expect(
    await captureErrorCode(() =>
      ada.decideApproval({ approvalId, body: { decision: 'reject' } }, { idempotencyKey: randomUUID() }),
    ),
  ).to.equal('approval_already_resolved');

  await waitUntil('the run receives its message and raises an incident', async () => {
    const { waitingFor, incidents } = await vera.getRun({ runId });
    if (waitingFor.some(({ kind }) => kind === 'event'))
      await server.request({ type: 'correlate', messageName: 'signal', correlationKey: key });
    return incidents > 0;
  });
  await retryUntilDone(
    async () => (await vera.getRun({ runId })).incidents === 0,
    () => otto.recoverRun({ runId, body: { variables: { mended: true } } }),
  );
  await waitUntil('the run ends', async () => (await vera.getRun({ runId })).outcome !== null);
  return { runId, cancelledRunId: cancelledRun.runId, approvalId };
}

async function findPendingApproval(client: Client, runId: string): Promise<Approval | undefined> {
  const run: RunDetail = await client.getRun({ runId });
  const wait = run.waitingFor.find((each) => each.kind === 'approval');
  return wait === undefined ? undefined : client.getApproval({ approvalId: wait.approvalId });
}

async function captureErrorCode(action: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.code;
    throw error;
  }
}
