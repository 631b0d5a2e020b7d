import { ConnectionError, ProblemError } from '@countersign/contract';
import { expect } from 'chai';
import { texts } from '../texts/index.js';
import { explain } from './explain.js';
import { SaidError } from './said-error.js';

describe('explain', () => {
  it('should say what the server and the texts say, and never what a browser or a library does', () => {
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
    expect(explain(new ProblemError(problem))).to.equal('There is no such run.');
    expect(explain(new ProblemError({ ...problem, detail: null }))).to.equal('Not found');
    expect(explain(new SaidError('This name is too long.'))).to.equal('This name is too long.');
    expect(explain(new ConnectionError(new TypeError('Failed to fetch')))).to.equal(texts.problems.noConnection);
    expect(explain(new ConnectionError(undefined, 'issuer'))).to.equal(texts.problems.noIssuer);
    for (const error of [new TypeError('x is not a function'), 'text', undefined])
      expect(explain(error)).to.equal(texts.problems.unexpected);
  });
});
