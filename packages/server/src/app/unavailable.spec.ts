import { expect } from 'chai';
import { problemOf } from './problem.js';
import { isUnavailable } from './unavailable.js';

const failure = (message: string, more: object = {}): Error => Object.assign(new Error(message), more);
const PLACE = { instance: '/api/runs', traceId: 'trace' };

describe('isUnavailable', () => {
  for (const [what, error] of Object.entries({
    'a refused connection': failure('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }),
    'a lost connection': failure('Connection terminated unexpectedly'),
    'a connection that was closed before use': failure('Client was closed and is not queryable'),
    'a restart': failure('terminating connection due to administrator command', { code: '57P01', severity: 'FATAL' }),
    'too many connections': failure('sorry, too many clients already', { code: '53300', severity: 'FATAL' }),
    'a full disk': failure('could not extend file', { code: '53100', severity: 'ERROR' }),
    'a statement timeout': failure('canceling statement due to statement timeout', {
      code: '57014',
      severity: 'ERROR',
    }),
    'a lock timeout': failure('canceling statement due to lock timeout', { code: '55P03', severity: 'ERROR' }),
    'a standby': failure('cannot execute INSERT in a read-only transaction', { code: '25006', severity: 'ERROR' }),
    'a pool without a free connection': failure('timeout exceeded when trying to connect'),
    'a server that accepts a connection but does not respond': failure('timeout expired'),
    'a full Knex pool': failure('Knex: Timeout acquiring a connection. The pool is probably full.'),
    'a server that refuses connections': failure('not accepting connections', { code: '55000', severity: 'FATAL' }),
    'several addresses that refuse the connection': new AggregateError([failure('', { code: 'ECONNREFUSED' })]),
  })) {
    it(`should respond with 503 and Retry-After to ${what}`, () => {
      expect(isUnavailable(error)).to.equal(true);
      const { status, headers, body } = problemOf(error, PLACE);
      expect([status, body.code, body.retryable]).to.deep.equal([503, 'service_unavailable', true]);
      expect(headers).to.have.property('Retry-After');
      expect(JSON.stringify(body)).to.not.contain(error.message === '' ? 'ECONNREFUSED' : error.message);
    });
  }

  it('should not match errors of the server itself', () => {
    for (const error of [
      failure('syntax error', { code: '42601', severity: 'ERROR' }),
      failure('duplicate key', { code: '23505' }),
      new TypeError('x is undefined'),
      'text',
      undefined,
    ]) {
      expect(isUnavailable(error)).to.equal(false);
    }
    expect(problemOf(new TypeError('x is undefined'), PLACE)).to.include({ status: 500 });
  });
});
