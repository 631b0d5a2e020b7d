import type { Question } from '@countersign/contract';
import { waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { expectProblem } from '../../host/expect-problem.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { AGENT_TASK, askingAgentPlugin, QUESTION } from './asking-agent.js';
import { describePart, type GetHost } from './describe-part.js';
import { END, sequence, START } from '../../host/elements.js';
import { retryInFlight } from './engine-host.js';

/** Tests agent steps and their questions to people. */
export function describeQuestions(create: CreateTestEngine): void {
  const models = [sequence('agent', START, AGENT_TASK, END)];
  describePart('questions of agents', create, { models, plugins: [askingAgentPlugin] }, (getHost) => {
    it('should continue the agent once with the answer of a user', async () => {
      // given
      const { runId, question } = await startWithQuestion(getHost);
      const host = getHost();
      expect(question).to.include({ text: QUESTION, status: 'pending' });
      const idempotencyKey = randomUUID();
      const { questionId } = question;
      const answer = (colour: string) =>
        retryInFlight(() =>
          host.operator.answerQuestion({ runId, questionId, body: { answer: colour } }, { idempotencyKey }),
        );

      // when
      const responses = await Promise.all([answer('green'), answer('green')]);

      // then
      expect(responses[1]).to.deep.equal(responses[0]);
      const run = await host.waitForEnd(runId);
      expect(run).to.deep.include({ outcome: 'completed', variables: { asked: true } });
      expect(await host.viewer.getQuestion({ questionId })).to.include({ status: 'answered', answer: 'green' });
      const events = await host.listEvents(runId);
      expect(events.filter(({ type }) => type === 'agent.turn')).to.have.length(2);
      const later = host.admin.answerQuestion({ runId, questionId, body: { answer: 'red' } });
      expect((await expectProblem(later)).status).to.equal(409);
    });

    it('should withdraw the question of a cancelled run', async () => {
      // given
      const { runId, question } = await startWithQuestion(getHost);
      const { operator, viewer } = getHost();

      // when
      await operator.cancelRun({ runId, body: { reason: 'no longer needed' } });

      // then
      expect(await viewer.getQuestion({ questionId: question.questionId })).to.include({ status: 'withdrawn' });
    });
  });
}

async function startWithQuestion(getHost: GetHost): Promise<{ runId: string; question: Question }> {
  const host = getHost();
  const runId = await host.startRun('agent');
  const question = await waitUntil('the agent asks', async () => (await host.viewer.listQuestions({ runId })).items[0]);
  return { runId, question };
}
