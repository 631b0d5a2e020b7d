import { ConnectionError, ProblemError, type Problem } from '@countersign/contract';
import { expect } from 'chai';
import { IdempotencyKeyHolder } from './idempotency-key-holder.js';

describe('IdempotencyKeyHolder', () => {
  let key: IdempotencyKeyHolder;
  let made: number;

  beforeEach(() => {
    made = 0;
    key = new IdempotencyKeyHolder(() => String((made += 1)));
  });

  const problem = (status: number, retryable = false, code = 'x'): ProblemError =>
    new ProblemError({ status, retryable, code, title: code, errors: [] } as unknown as Problem);

  for (const [title, error] of [
    ['a response was lost', new ConnectionError(new Error('gone'))],
    ['the server failed', problem(500)],
    ['the same request is still in progress', problem(409, true)],
    ['the token has expired', problem(401)],
    ['the user has lost the role', problem(403, false, 'forbidden')],
    ['a proxy sent the response', problem(404, false, 'unexpected_response')],
  ] as const) {
    it(`should keep its key when ${title}`, () => {
      // given
      const first = key.of({ inputs: { a: 1 } });
      // when
      key.ended(error);
      // then
      expect(key.of({ inputs: { a: 1 } })).to.equal(first);
    });
  }

  it('should create a new key for other content', () => {
    expect(key.of({ inputs: { a: 1 } })).not.to.equal(key.of({ inputs: { a: 2 } }));
  });

  it('should create a new key after the request succeeded or was refused', () => {
    // given
    const keys = [key.of({})];
    // when
    key.ended();
    keys.push(key.of({}));
    for (const error of [problem(422), problem(403, false, 'self_approval')]) {
      key.ended(error);
      keys.push(key.of({}));
    }
    // then
    expect(keys).to.deep.equal(['1', '2', '3', '4']);
  });
});
