import type { Client, Question } from '@countersign/contract';

/** Starts a run of a workflow whose agent asks, and returns the question. */
export async function askQuestion(client: Client, workflowId: string): Promise<Question> {
  const { runId } = await client.startRun({ body: { workflowId } });
  for await (const event of client.streamRunEvents({ runId })) {
    if (event.type === 'question.asked') return client.getQuestion({ questionId: String(event.data['questionId']) });
  }
  throw new Error('The run ended without a question.');
}
