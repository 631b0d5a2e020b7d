import { ApiError, defineErrorCode, StartupError } from '@countersign/core';
import { EngineConflict } from '@countersign/model';
import { expect } from 'chai';
import { toProblemResponse, createRefusal } from './problem.js';

const context = { instance: '/api/runs', traceId: 'trace-1' };

describe('toProblemResponse()', () => {
  it('should convert an ApiError to a problem document with only the members of its code', () => {
    const error = new ApiError('approval_already_resolved', 'Bea was faster.', {
      resolvedBy: 'bea',
      decision: 'approve',
      status: 'approved',
      traceId: 'forged',
    });
    const { status, body, unexpected } = toProblemResponse(error, context);
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
    const { status, headers, body, unexpected } = toProblemResponse(
      new ApiError(quotaExceeded, 'Come back tomorrow.', { limit: 3, status: 200, retryAfter: 60 }),
      context,
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
      const { body, unexpected } = toProblemResponse(error, context);
      expect(unexpected).to.equal(true);
      expect(body).to.include({ status: 500, code: 'internal_error' });
      expect(JSON.stringify(body)).not.to.match(/10\.0\.0\.7|secret|undefined/);
    }
  });

  it('should set the headers that belong to the error', () => {
    expect(toProblemResponse(createRefusal('unauthenticated', ''), context).headers).to.deep.equal({
      'WWW-Authenticate': 'Bearer realm="countersign"',
    });
    expect(toProblemResponse(createRefusal('invalid_token', ''), context).headers['WWW-Authenticate']).to.contain(
      'error="invalid_token"',
    );
    expect(toProblemResponse(createRefusal('method_not_allowed', '', { allow: 'GET' }), context).headers).to.deep.equal(
      {
        Allow: 'GET',
      },
    );
    expect(toProblemResponse(createRefusal('rate_limited', '', { retryAfter: 7 }), context).headers).to.deep.equal({
      'Retry-After': '7',
    });
    expect(toProblemResponse(createRefusal('service_unavailable', ''), context).headers).to.have.property(
      'Retry-After',
    );
  });
});
