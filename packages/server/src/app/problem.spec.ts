import { ApiError, defineErrorCode, StartupError } from '@countersign/core';
import { EngineConflict } from '@countersign/model';
import { expect } from 'chai';
import { problemOf, refusal } from './problem.js';

const place = { instance: '/api/runs', traceId: 'trace-1' };

describe('problemOf()', () => {
  it('should convert an ApiError to a problem document with only the members of its code', () => {
    const error = new ApiError('approval_already_resolved', 'Bea was faster.', {
      resolvedBy: 'bea',
      decision: 'approve',
      status: 'approved',
      traceId: 'forged',
    });
    const { status, body, unexpected } = problemOf(error, place);
    expect(body).to.deep.equal({
      type: 'urn:countersign:problem:approval_already_resolved',
      title: 'Already decided',
      status: 409,
      detail: 'Bea was faster.',
      code: 'approval_already_resolved',
      instance: '/api/runs',
      traceId: 'trace-1',
      retryable: false,
      errors: [],
      resolvedBy: 'bea',
      decision: 'approve',
    });
    expect([status, unexpected]).to.deep.equal([409, false]);
  });

  it('should convert an error with a code of a plugin to a problem document', () => {
    const quotaExceeded = defineErrorCode('acme/quota_exceeded', {
      status: 429,
      title: 'Quota exceeded',
      retryable: true,
    });
    const { status, headers, body, unexpected } = problemOf(
      new ApiError(quotaExceeded, 'Come back tomorrow.', { limit: 3, status: 200, retryAfter: 60 }),
      place,
    );
    expect(body).to.deep.equal({
      type: 'urn:countersign:problem:acme/quota_exceeded',
      title: 'Quota exceeded',
      status: 429,
      detail: 'Come back tomorrow.',
      code: 'acme/quota_exceeded',
      instance: '/api/runs',
      traceId: 'trace-1',
      retryable: true,
      errors: [],
      limit: 3,
    });
    expect([status, headers, unexpected]).to.deep.equal([429, { 'Retry-After': '60' }, false]);
  });

  it('should reveal no details of an unexpected error', () => {
    for (const error of [
      new Error('connect ECONNREFUSED 10.0.0.7 password=x'),
      new StartupError('odd_code', 'secret'),
      new EngineConflict('message_delivered', 'secret'),
      'text',
      undefined,
      new TypeError('x is undefined'),
    ]) {
      const { body, unexpected } = problemOf(error, place);
      expect(unexpected).to.equal(true);
      expect(body).to.include({ status: 500, code: 'internal_error' });
      expect(JSON.stringify(body)).not.to.match(/10\.0\.0\.7|secret|undefined/);
    }
  });

  it('should set the headers that belong to the error', () => {
    expect(problemOf(refusal('unauthenticated', ''), place).headers).to.deep.equal({
      'WWW-Authenticate': 'Bearer realm="countersign"',
    });
    expect(problemOf(refusal('invalid_token', ''), place).headers['WWW-Authenticate']).to.contain(
      'error="invalid_token"',
    );
    expect(problemOf(refusal('method_not_allowed', '', { allow: 'GET' }), place).headers).to.deep.equal({
      Allow: 'GET',
    });
    expect(problemOf(refusal('rate_limited', '', { retryAfter: 7 }), place).headers).to.deep.equal({
      'Retry-After': '7',
    });
    expect(problemOf(refusal('service_unavailable', ''), place).headers).to.have.property('Retry-After');
  });
});
