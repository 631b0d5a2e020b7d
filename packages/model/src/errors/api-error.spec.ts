import { expect } from 'chai';
import { defineErrorCode, isPluginErrorCode, type PluginErrorCode } from '../plugin-error-code.js';
import { ApiError, isApiError } from './api-error.js';
import { EngineConflict, isEngineConflict } from './engine-conflict.js';
import { isStartupError, StartupError } from './startup-error.js';

const BUSY = { status: 503, title: 'Busy' } as const;

/** The error class of version 0.1.0, which accepted any code. */
class FormerError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
Object.defineProperty(FormerError.prototype, Symbol.for('@countersign/core:isCountersignError'), { value: true });

describe('ApiError', () => {
  it('should accept a code of the catalogue or of a plugin', () => {
    const busy = defineErrorCode('acme/busy', BUSY);
    expect(new ApiError('run_not_found', 'The run does not exist.')).to.include({
      code: 'run_not_found',
      definition: undefined,
    });
    expect(new ApiError(busy, 'Try again later.')).to.include({ code: 'acme/busy', definition: busy });
    expect(busy).to.deep.equal({ code: 'acme/busy', status: 503, title: 'Busy', retryable: false });
  });

  it('should not compile with an unknown code', () => {
    // @ts-expect-error: not in the catalogue
    expect(isApiError(new ApiError('run_not_fuond', 'The run does not exist.'))).to.equal(false);
    // @ts-expect-error: a code of a plugin must be defined
    expect(isApiError(new ApiError('acme/busy', 'Try again later.'))).to.equal(false);
    // @ts-expect-error: not an existing code
    expect(new ApiError('conflict', 'The run was changed.').code === 'conflcit').to.equal(false);
    // @ts-expect-error: 401 needs a challenge, which only the server can send
    expect(() => defineErrorCode('acme/sign_in', { status: 401, title: 'Sign in' })).to.throw(
      TypeError,
      'acme/sign_in',
    );
  });

  it('should be distinguishable from startup errors and engine conflicts', () => {
    const errors = [
      new ApiError('conflict', 'The run was changed.'),
      new StartupError('conflict', 'The settings conflict.'),
      new EngineConflict('message_delivered', 'The message was delivered.'),
    ];
    expect(errors.map(isApiError)).to.deep.equal([true, false, false]);
    expect(errors.map(isStartupError)).to.deep.equal([false, true, false]);
    expect(errors.map(isEngineConflict)).to.deep.equal([false, false, true]);
  });

  it('should recognize an error of version 0.1.0 only if its code is known', () => {
    expect(isApiError(new FormerError('invalid_signature', 'The signature is invalid.'))).to.equal(true);
    expect(isApiError(new FormerError('made_up', 'The code is unknown.'))).to.equal(false);
    expect(isApiError({ code: 'invalid_signature', message: 'The signature is invalid.' })).to.equal(false);
  });
});

describe('defineErrorCode()', () => {
  it('should refuse a code without a namespace or not in snake_case, and an empty title', () => {
    for (const code of [
      'busy',
      'Acme/busy',
      'acme/Busy',
      'acme/',
      '/busy',
      'acme/too/deep',
      'acme/a-b',
      `acme/${'a'.repeat(100)}`,
    ]) {
      expect(() => defineErrorCode(code as PluginErrorCode['code'], BUSY), code).to.throw(
        TypeError,
        'needs the form plugin-id/name',
      );
    }
    expect(() => defineErrorCode('acme/busy', { ...BUSY, title: '' })).to.throw(TypeError);
  });
});

describe('isPluginErrorCode()', () => {
  it('should refuse objects that only resemble a definition', () => {
    for (const value of [
      undefined,
      null,
      'acme/busy',
      { code: 'acme/busy' },
      { code: 'acme/busy', ...BUSY, retryable: 'yes' },
      { code: 'acme/busy', ...BUSY, retryable: true, status: 200 },
    ]) {
      expect(isPluginErrorCode(value), JSON.stringify(value)).to.equal(false);
    }
  });
});
