import { endsRun, type RunEvent } from '@countersign/contract';
import { verifyEvidencePack } from '@countersign/model/evidence';
import { waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import type { EngineHost } from './engine-host.js';

/**
 * Cancels the runs of an installation that have not ended. Then checks that the histories of all runs are valid, and
 * that no job, timer or announcement is open.
 */
export async function checkHistories(host: EngineHost): Promise<void> {
  await cancelOpenRuns(host);
  for (const runId of await host.listRunIds()) await checkRun(host, runId);
  await waitUntil('no open job, timer or announcement is left', () => hasNoOpenWork(host));
}

async function cancelOpenRuns(host: EngineHost): Promise<void> {
  await waitUntil('all runs have ended', async () => {
    // A later pass includes runs that have started in the meantime.
    const { runIds } = await host.operator.bulkCancelRuns({ dryRun: true, body: { filter: { root: true } } });
    if (runIds.length > 0) await host.operator.bulkCancelRuns({ body: { runIds, reason: 'The tests have ended.' } });
    return (await host.listRuns()).every(({ outcome }) => outcome !== null);
  });
}

async function checkRun(host: EngineHost, runId: string): Promise<void> {
  const events = await host.listEvents(runId);
  const run = await host.viewer.getRun({ runId });
  const name = `run ${runId} of "${run.workflowId}"`;
  expect(
    events.map(({ seq }) => seq),
    `${name}: positions`,
  ).to.deep.equal(events.map((_event, index) => index + 1));
  expect(events[0]?.type, `${name}: first event`).to.equal('run.started');
  expect(events.filter(endsRun), `${name}: ends`).to.have.length(1);
  expect(events.at(-1)?.type, `${name}: last event`).to.equal(`run.${run.outcome}`);
  expect(findRepeated(events.flatMap(identify)), `${name}: repeated events`).to.deep.equal([]);

  const { problems } = verifyEvidencePack(await host.admin.getEvidencePack({ runId }));
  expect(problems, `${name}: evidence pack`).to.deep.equal([]);
  const stored = (await host.storage.loadRuns([runId])).get(runId);
  expect(stored?.lastEventHash, `${name}: head of the chain`).to.equal(events.at(-1)?.hash);

  const { pendingApprovals, pendingQuestions, waitingFor, steps } = run;
  expect({ pendingApprovals, pendingQuestions, waitingFor }, `${name}: waits`).to.deep.equal({
    pendingApprovals: 0,
    pendingQuestions: 0,
    waitingFor: [],
  });
  expect(
    steps.filter(({ status }) => status === 'active' || status === 'waiting'),
    `${name}: open steps`,
  ).to.deep.equal([]);
  expect((await host.viewer.getRunState({ runId })).tokens, `${name}: tokens`).to.deep.equal([]);
}

/** Describes an event that a run may have only once, with the id of what it concerns. Returns no text for other events. */
function identify({ type, stepId, data }: RunEvent): string[] {
  switch (type) {
    case 'step.started':
      return [`start of attempt ${String(data['attempt'])} of step ${stepId}`];
    case 'step.completed':
    case 'step.cancelled':
      return [`end of step ${stepId}`];
    case 'step.attempt_failed':
      return [`failed attempt ${String(data['attempt'])} of ${String(data['callId'] ?? stepId)}`];
    case 'timer.fired':
      return [`timer ${String(data['timerId'])} at ${String(data['dueAt'])}`];
    case 'approval.requested':
      return [`request of approval ${String(data['approvalId'])}`];
    case 'approval.voted':
      return [`vote ${String(data['voteId'])}`];
    case 'approval.resolved':
    case 'approval.withdrawn':
    case 'approval.expired':
      return [`end of approval ${String(data['approvalId'])}`];
    case 'question.asked':
    case 'question.answered':
    case 'question.withdrawn':
      return [`${type === 'question.asked' ? 'request' : 'end'} of question ${String(data['questionId'])}`];
    case 'child.requested':
    case 'child.ended':
      return [`${type} ${String(data['childRunId'])}`];
    default:
      return [];
  }
}

function findRepeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

/** Returns whether the storage has no work for the engine, if all runs have ended. */
async function hasNoOpenWork({ engine, storage }: EngineHost): Promise<boolean> {
  const { workers } = await engine.status();
  const [jobDelay, timerAt, announcements, { runIds }] = await Promise.all([
    storage.nextJobDelay(workers.map(({ jobType }) => jobType)),
    storage.nextTimerAt(),
    storage.countAnnouncements(engine.name),
    storage.listRunsWithOpenWork({ engine: engine.name, minAgeMs: 0, after: null, limit: 100 }),
  ]);
  return (
    jobDelay === null &&
    timerAt === null &&
    announcements.count === 0 &&
    runIds.length === 0 &&
    workers.every(({ active }) => active === 0)
  );
}
