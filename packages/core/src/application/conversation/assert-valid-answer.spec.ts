import { expect } from 'chai';
import { isApiError, type Json, type JsonObject, type PendingQuestion } from '@countersign/model';
import { assertValidAnswer } from './assert-valid-answer.js';

let questionCount = 0;

async function checkAnswer(
  question: Partial<Pick<PendingQuestion, 'options' | 'answerSchema'>>,
  answer: Json,
): Promise<unknown> {
  questionCount += 1;
  try {
    await assertValidAnswer(
      { questionId: String(questionCount), options: null, answerSchema: null, ...question },
      answer,
    );
    return 'accepted';
  } catch (error) {
    if (!isApiError(error)) throw error;
    expect(error.code).to.equal('invalid_answer');
    return (error.details['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]);
  }
}

describe('assertValidAnswer()', () => {
  it('should accept only a string of 1 to 10,000 characters when neither options nor a schema are set', async () => {
    expect(await checkAnswer({}, 'y')).to.equal('accepted');
    expect(await checkAnswer({}, 'y'.repeat(10_000))).to.equal('accepted');
    expect(await checkAnswer({}, 'y'.repeat(10_001))).to.deep.equal([['/answer', 'too_big']]);
    expect(await checkAnswer({}, ' \n')).to.deep.equal([['/answer', 'too_small']]);
    for (const invalidAnswer of [null, 1, true, ['y'], { text: 'y' }])
      expect(await checkAnswer({}, invalidAnswer)).to.deep.equal([['/answer', 'invalid_type']]);
  });

  it('should accept only an exact match of an option', async () => {
    const options = ['done', 'skip'];
    expect(await checkAnswer({ options }, 'done')).to.equal('accepted');
    for (const invalidAnswer of ['Done', ' done', 'toString', '', null, 0, ['done']] as Json[])
      expect(await checkAnswer({ options }, invalidAnswer)).to.deep.equal([['/answer', 'not_an_option']]);
  });

  it('should validate an answer against the schema and report the location of each error', async () => {
    const answerSchema: JsonObject = {
      type: 'object',
      required: ['team'],
      additionalProperties: false,
      properties: { team: { enum: ['a', 'b'] }, since: { type: 'integer' } },
    };
    expect(await checkAnswer({ answerSchema }, { team: 'a', since: 3 })).to.equal('accepted');
    expect(await checkAnswer({ answerSchema }, { team: 'c', since: 'x' })).to.deep.equal([
      ['/answer/team', 'enum'],
      ['/answer/since', 'type'],
    ]);
    expect(await checkAnswer({ answerSchema }, 'a')).to.deep.include(['/answer', 'type']);
  });

  it('should refuse an answer that cannot be stored or is too large for a language model', async () => {
    expect(await checkAnswer({}, 'a\0')).to.deep.equal([['/answer', 'unstorable_text']]);
    expect(await checkAnswer({ answerSchema: {} }, JSON.parse('{"__proto__": 1}') as Json)).to.deep.equal([
      ['/answer/__proto__', 'polluting_key'],
    ]);
    expect(await checkAnswer({ answerSchema: {} }, { a: 'y'.repeat(50_000) })).to.deep.equal([['/answer', 'too_big']]);
  });

  it('should refuse an answer when its check against the schema takes too long', async () => {
    const answerSchema: JsonObject = { type: 'string', pattern: '^(a+)+$' };
    expect(await checkAnswer({ answerSchema }, `${'a'.repeat(40)}!`)).to.deep.equal([['/answer', 'too_costly']]);
  }).timeout(10_000);
});
