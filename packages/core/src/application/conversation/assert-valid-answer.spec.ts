import { expect } from 'chai';
import { isApiError, type Json, type JsonObject, type PendingQuestion } from '@countersign/model';
import { assertValidAnswer } from './assert-valid-answer.js';

let count = 0;

async function checkResult(
  question: Partial<Pick<PendingQuestion, 'options' | 'answerSchema'>>,
  answer: Json,
): Promise<unknown> {
  count += 1;
  try {
    await assertValidAnswer({ questionId: String(count), options: null, answerSchema: null, ...question }, answer);
    return 'taken';
  } catch (error) {
    if (!isApiError(error)) throw error;
    expect(error.code).to.equal('invalid_answer');
    return (error.details['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]);
  }
}

describe('assertValidAnswer()', () => {
  it('should accept a string of 1 to 10,000 characters', async () => {
    expect(await checkResult({}, 'y')).to.equal('taken');
    expect(await checkResult({}, 'y'.repeat(10_000))).to.equal('taken');
    expect(await checkResult({}, 'y'.repeat(10_001))).to.deep.equal([['/answer', 'too_big']]);
    expect(await checkResult({}, ' \n')).to.deep.equal([['/answer', 'too_small']]);
    for (const otherAnswer of [null, 1, true, ['y'], { text: 'y' }])
      expect(await checkResult({}, otherAnswer)).to.deep.equal([['/answer', 'invalid_type']]);
  });

  it('should accept only an exact match of an option', async () => {
    const options = ['done', 'skip'];
    expect(await checkResult({ options }, 'done')).to.equal('taken');
    for (const otherAnswer of ['Done', ' done', 'toString', '', null, 0, ['done']] as Json[])
      expect(await checkResult({ options }, otherAnswer)).to.deep.equal([['/answer', 'not_an_option']]);
  });

  it('should validate an answer against the schema and report the location of each error', async () => {
    const answerSchema: JsonObject = {
      type: 'object',
      required: ['team'],
      additionalProperties: false,
      properties: { team: { enum: ['a', 'b'] }, since: { type: 'integer' } },
    };
    expect(await checkResult({ answerSchema }, { team: 'a', since: 3 })).to.equal('taken');
    expect(await checkResult({ answerSchema }, { team: 'c', since: 'x' })).to.deep.equal([
      ['/answer/team', 'enum'],
      ['/answer/since', 'type'],
    ]);
    expect(await checkResult({ answerSchema }, 'a')).to.deep.include(['/answer', 'type']);
  });

  it('should refuse an answer that cannot be stored or is too large for a language model', async () => {
    expect(await checkResult({}, 'a\0')).to.deep.equal([['/answer', 'unstorable_text']]);
    expect(await checkResult({ answerSchema: {} }, JSON.parse('{"__proto__": 1}') as Json)).to.deep.equal([
      ['/answer/__proto__', 'polluting_key'],
    ]);
    expect(await checkResult({ answerSchema: {} }, { a: 'y'.repeat(50_000) })).to.deep.equal([['/answer', 'too_big']]);
  });

  it('should refuse an answer when its check against the schema takes too long', async () => {
    const answerSchema: JsonObject = { type: 'string', pattern: '^(a+)+$' };
    expect(await checkResult({ answerSchema }, `${'a'.repeat(40)}!`)).to.deep.equal([['/answer', 'too_costly']]);
  }).timeout(10_000);
});
