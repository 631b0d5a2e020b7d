import type { Client, Question } from '@countersign/contract';
import { expect } from 'chai';
import { answerQuestion } from './answer-question.js';
import { DisplayedQuestions } from './displayed-questions.js';

describe('answerQuestion', () => {
  const sent: unknown[] = [];
  const client = {
    answerQuestion: (...callArguments: unknown[]) => (sent.push(callArguments), Promise.resolve({} as Question)),
  } as unknown as Pick<Client, 'answerQuestion'>;
  const input = { questionId: 'q1', answer: 'Ten.', idempotencyKey: 'key-of-an-answer' };

  beforeEach(() => sent.splice(0));

  it('should send no answer to a question that was not displayed', async () => {
    expect(await answerQuestion({ client, displayedQuestions: new DisplayedQuestions() }, input)).to.deep.include({
      ok: false,
      kind: 'refused',
      code: 'question_not_shown',
    });
    expect(sent).to.deep.equal([]);
  });

  it('should send the answer to the run of the displayed question with the idempotency key from the window', async () => {
    const displayedQuestions = new DisplayedQuestions();
    displayedQuestions.record({ questionId: 'q1', runId: 'r1' });
    expect(await answerQuestion({ client, displayedQuestions }, input)).to.deep.include({
      ok: true,
    });
    expect(sent).to.deep.equal([
      [{ runId: 'r1', questionId: 'q1', body: { answer: 'Ten.' } }, { idempotencyKey: 'key-of-an-answer' }],
    ]);
  });

  it('should wait for a question that is still being loaded', async () => {
    const displayedQuestions = new DisplayedQuestions();
    let finishLoad = (): void => undefined;
    displayedQuestions.loads.track(
      'q1',
      new Promise<void>((resolve) => (finishLoad = resolve)).then(() =>
        displayedQuestions.record({ questionId: 'q1', runId: 'r1' }),
      ),
    );
    const pendingAnswer = answerQuestion({ client, displayedQuestions }, input);
    await Promise.resolve();
    expect(sent).to.deep.equal([]);
    finishLoad();
    expect(await pendingAnswer).to.deep.include({ ok: true });
  });

  it('should forget the oldest of more than 1,000 displayed questions', () => {
    const displayedQuestions = new DisplayedQuestions();
    for (let n = 0; n <= 1_000; n += 1) displayedQuestions.record({ questionId: `q${n}`, runId: 'r' });
    expect([
      displayedQuestions.getRunId('q0'),
      displayedQuestions.getRunId('q1'),
      displayedQuestions.getRunId('q1000'),
    ]).to.deep.equal([undefined, 'r', 'r']);
  });
});
