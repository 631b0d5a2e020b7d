import { ConnectionError, ProblemError, type Problem } from '@countersign/contract';
import { expect } from 'chai';
import { IdempotencyKeyHolder } from './idempotency-key-holder.js';

describe('IdempotencyKeyHolder', () => {
  let holder: IdempotencyKeyHolder;
  let createdCount: number;

  beforeEach(() => {
    createdCount = 0;
    holder = new IdempotencyKeyHolder(() => String((createdCount += 1)));
  });

  const createProblemError = (status: number, retryable = false, code = 'x'): ProblemError =>
    new ProblemError({ status, retryable, code, title: code, errors: [] } as unknown as Problem);

  for (const [title, error] of [
    ['a response was lost', new ConnectionError(new Error('connection reset'))],
    ['the server failed', createProblemError(500)],
    ['the same request is still in progress', createProblemError(409, true)],
    ['the token has expired', createProblemError(401)],
    ['the user has lost the role', createProblemError(403, false, 'forbidden')],
    ['a proxy sent the response', createProblemError(404, false, 'unexpected_response')],
  ] as const) {
    it(`should keep its key when ${title}`, () => {
      // given
      const first = holder.getKey({ inputs: { a: 1 } });
      // when
      holder.onRequestEnded(error);
      // then
      expect(holder.getKey({ inputs: { a: 1 } })).to.equal(first);
    });
  }

  it('should create a new key for other content', () => {
    expect(holder.getKey({ inputs: { a: 1 } })).not.to.equal(holder.getKey({ inputs: { a: 2 } }));
  });

  it('should create a new key after the request succeeded or was refused', () => {
    // given
    const keys = [holder.getKey({})];
    // when
    holder.onRequestEnded();
    keys.push(holder.getKey({}));
    for (const error of [createProblemError(422), createProblemError(403, false, 'self_approval')]) {
      holder.onRequestEnded(error);
      keys.push(holder.getKey({}));
    }
    // then
    expect(keys).to.deep.equal(['1', '2', '3', '4']);
  });
});
