import { expect } from 'chai';
import { toProblemResponse } from './problem.js';
import { isDatabaseUnavailable } from './is-database-unavailable.js';

const createError = (message: string, properties: object = {}): Error => Object.assign(new Error(message), properties);
const CONTEXT = { instance: '/api/runs', traceId: 'trace' };

describe('isDatabaseUnavailable', () => {
  for (const [caseName, error] of Object.entries({
    'a refused connection': createError('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }),
    'a lost connection': createError('Connection terminated unexpectedly'),
    'a connection that was closed before use': createError('Client was closed and is not queryable'),
    'a restart': createError('terminating connection due to administrator command', {
      code: '57P01',
      severity: 'FATAL',
    }),
    'too many connections': createError('sorry, too many clients already', { code: '53300', severity: 'FATAL' }),
    'a full disk': createError('could not extend file', { code: '53100', severity: 'ERROR' }),
    'a statement timeout': createError('canceling statement due to statement timeout', {
      code: '57014',
      severity: 'ERROR',
    }),
    'a lock timeout': createError('canceling statement due to lock timeout', { code: '55P03', severity: 'ERROR' }),
    'a standby': createError('cannot execute INSERT in a read-only transaction', { code: '25006', severity: 'ERROR' }),
    'a pool without a free connection': createError('timeout exceeded when trying to connect'),
    'a server that accepts a connection but does not respond': createError('timeout expired'),
    'a full Knex pool': createError('Knex: Timeout acquiring a connection. The pool is probably full.'),
    'a server that refuses connections': createError('not accepting connections', { code: '55000', severity: 'FATAL' }),
    'several addresses that refuse the connection': new AggregateError([createError('', { code: 'ECONNREFUSED' })]),
  })) {
    it(`should respond with 503 and Retry-After to ${caseName}`, () => {
      expect(isDatabaseUnavailable(error)).to.equal(true);
      const { status, headers, body } = toProblemResponse(error, CONTEXT);
      expect([status, body.code, body.retryable]).to.deep.equal([503, 'service_unavailable', true]);
      expect(headers).to.have.property('Retry-After');
      expect(JSON.stringify(body)).to.not.contain(error.message === '' ? 'ECONNREFUSED' : error.message);
    });
  }

  it('should not match errors of the server itself', () => {
    for (const error of [
      createError('syntax error', { code: '42601', severity: 'ERROR' }),
      createError('duplicate key', { code: '23505' }),
      new TypeError('x is undefined'),
      'text',
      undefined,
    ]) {
      expect(isDatabaseUnavailable(error)).to.equal(false);
    }
    expect(toProblemResponse(new TypeError('x is undefined'), CONTEXT)).to.include({ status: 500 });
  });
});
