import { ConnectionError, ProblemError } from '@countersign/contract';
import { expect } from 'chai';
import { texts } from '../texts/index.js';
import { toUserMessage } from './to-user-message.js';
import { UserFacingError } from './user-facing-error.js';

describe('toUserMessage', () => {
  it('should return a message of the server or the application, never of the browser or a library', () => {
    const problem = {
      type: 'about:blank',
      title: 'Not found',
      status: 404,
      detail: 'There is no such run.',
      code: 'run_not_found',
      instance: null,
      traceId: '1',
      retryable: false,
      errors: [],
    };
    expect(toUserMessage(new ProblemError(problem))).to.equal('There is no such run.');
    expect(toUserMessage(new ProblemError({ ...problem, detail: null }))).to.equal('Not found');
    expect(toUserMessage(new UserFacingError('This name is too long.'))).to.equal('This name is too long.');
    expect(toUserMessage(new ConnectionError(new TypeError('Failed to fetch')))).to.equal(texts.problems.noConnection);
    expect(toUserMessage(new ConnectionError(undefined, 'issuer'))).to.equal(texts.problems.noIssuer);
    for (const error of [new TypeError('x is not a function'), 'text', undefined])
      expect(toUserMessage(error)).to.equal(texts.problems.unexpected);
  });
});
