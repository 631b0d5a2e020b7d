import { expect } from 'chai';
import type { QuestionRecord } from '@countersign/model';
import { toConversationView } from './conversation-view.js';

const RUN_ID = '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77';
const createQuestionId = (n: number): string => `01938f5a-7c1e-7b62-9d53-00000000000${n}`;

function createQuestion(n: number, overrides: Partial<QuestionRecord> = {}): QuestionRecord {
  return {
    questionId: createQuestionId(n),
    runId: RUN_ID,
    workflowId: 'w',
    stepId: RUN_ID,
    elementId: 'triage',
    agentName: 'triage',
    purpose: 'ask',
    callId: null,
    text: `Question ${n}?`,
    options: null,
    answerSchema: null,
    askedAt: n * 1_000,
    dueAt: null,
    onDue: { kind: 'continue', answer: null },
    status: 'pending',
    answer: null,
    answeredBy: null,
    closedAt: null,
    ...overrides,
  };
}

const answeredFields = { status: 'answered', answeredBy: { type: 'user', id: 'ada', name: 'Ada' } } as const;
const summarizeMessages = (...questions: QuestionRecord[]): unknown[] =>
  toConversationView(questions).map(({ author, text, status }) => [author.kind, author.name, text, status]);

describe('toConversationView()', () => {
  it('should list questions and answers in chronological order', () => {
    expect(
      summarizeMessages(createQuestion(1, { ...answeredFields, answer: 'Yes.', closedAt: 3_000 }), createQuestion(2)),
    ).to.deep.equal([
      ['agent', 'triage', 'Question 1?', 'answered'],
      ['agent', 'triage', 'Question 2?', 'pending'],
      ['human', 'Ada', 'Yes.', null],
    ]);
  });

  it('should list a question before an answer of the same millisecond, with stable and unique message ids', () => {
    const questions = [
      createQuestion(1, { ...answeredFields, answer: 'Yes.', closedAt: 1_000 }),
      createQuestion(2, { askedAt: 1_000 }),
    ];
    const messages = toConversationView(questions);
    expect(messages.map(({ text }) => text)).to.deep.equal(['Question 1?', 'Yes.', 'Question 2?']);
    expect(new Set(messages.map(({ messageId }) => messageId)).size).to.equal(3);
    expect(toConversationView(questions)).to.deep.equal(messages);
  });

  it('should return an answer that is not a string both as JSON text and as data', () => {
    const [, answer] = toConversationView([
      createQuestion(1, { ...answeredFields, answer: { team: 'a' }, closedAt: 2_000 }),
    ]);
    expect(answer).to.deep.include({
      text: '{"team":"a"}',
      answer: { team: 'a' },
      questionId: createQuestionId(1),
      options: null,
      answerSchema: null,
    });
  });

  it('should attribute questions about budgets and unknown outcomes to the system, not to an agent', () => {
    expect(
      summarizeMessages(createQuestion(1, { purpose: 'budget' }), createQuestion(2, { purpose: 'outcome' })).map(
        (message) => (message as string[])[0],
      ),
    ).to.deep.equal(['system', 'system']);
  });

  it('should explain how a question without an answer was closed', () => {
    const closingMessage = (overrides: Partial<QuestionRecord>): unknown =>
      summarizeMessages(createQuestion(1, { closedAt: 2_000, ...overrides })).at(-1);
    expect(closingMessage({ status: 'withdrawn' })).to.deep.equal([
      'system',
      'Countersign',
      'The question was withdrawn.',
      null,
    ]);
    expect(closingMessage({ status: 'expired' })).to.deep.equal([
      'system',
      'Countersign',
      'No one answered in time. The agent continues without an answer.',
      null,
    ]);
    expect(
      closingMessage({ status: 'expired', onDue: { kind: 'continue', answer: 'No.' }, answer: 'No.' }),
    ).to.deep.equal(['system', 'Countersign', 'No one answered in time. The agent continues with: No.', null]);
    expect((closingMessage({ status: 'expired', onDue: { kind: 'incident' } }) as string[])[2]).to.match(
      /an incident until/,
    );
  });
});
