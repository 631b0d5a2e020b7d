import { processModel, waitUntil } from '@countersign/testing';
import { randomUUID } from 'node:crypto';
import type { People } from './drive-workload.spec.support.js';
import { retryOnServerLoss } from './retry-until-done.spec.support.js';

const MODEL = processModel(
  'noting',
  '<bpmn:startEvent id="start" /><bpmn:serviceTask id="agent"><bpmn:extensionElements><zeebe:taskDefinition type="agent" /></bpmn:extensionElements></bpmn:serviceTask><bpmn:endEvent id="end" />',
  'start > agent',
  'agent > end',
);

/**
 * Starts an agent, answers its question and reports the outcome of the call whose outcome is unknown. Requests are
 * retried with the same Idempotency-Key until there is a response.
 *
 * @param deployment text of a comment in the BPMN model, so that each deployment is a separate version
 * @returns the run id
 */
export async function driveAgents({ admin, vera, otto }: People, deployment: string): Promise<string> {
  await retryOnServerLoss(() =>
    admin.deployWorkflow({ body: MODEL.replace('</bpmn:definitions>', `<!-- ${deployment} --></bpmn:definitions>`) }),
  );
  const { runId } = await vera.startRun({ body: { workflowId: 'noting' } }, { idempotencyKey: randomUUID() });
  for (const [purpose, answer] of [
    ['outcome', 'done'],
    ['ask', '2'],
  ] as const) {
    const { questionId } = await waitUntil(`the agent asks (${purpose})`, async () =>
      (await otto.listQuestions({ runId, status: 'pending' })).items.find((question) => question.purpose === purpose),
    );
    await otto.answerQuestion({ runId, questionId, body: { answer } }, { idempotencyKey: randomUUID() });
  }
  await waitUntil('the run ends', async () => {
    const { outcome, incidents, error, waitingFor } = await vera.getRun({ runId });
    const questions = waitingFor.filter(({ kind }) => kind === 'question');
    if (incidents > 0 || questions.length > 0)
      throw new Error(`Unexpected question or incident: ${JSON.stringify({ error, asked: questions })}`);
    return outcome !== null;
  });
  return runId;
}
