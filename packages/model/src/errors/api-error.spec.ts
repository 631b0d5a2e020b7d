import { expect } from 'chai';
import { defineErrorCode, isPluginErrorCode, type PluginErrorCode } from '../plugin-error-code.js';
import { ApiError, isApiError } from './api-error.js';
import { EngineConflict, isEngineConflict } from './engine-conflict.js';
import { isStartupError, StartupError } from './startup-error.js';

const BUSY = { status: 503, title: 'Busy' } as const;

/** The class of version 0.1.0, which accepted any code. */
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
    expect(new ApiError('run_not_found', 'No.')).to.include({ code: 'run_not_found', definition: undefined });
    expect(new ApiError(busy, 'Later.')).to.include({ code: 'acme/busy', definition: busy });
    expect(busy).to.deep.equal({ code: 'acme/busy', status: 503, title: 'Busy', retryable: false });
  });

  it('should not compile with an unknown code', () => {
    // @ts-expect-error: not in the catalogue
    expect(isApiError(new ApiError('run_not_fuond', 'No.'))).to.equal(false);
    // @ts-expect-error: a code of a plugin must be defined
    expect(isApiError(new ApiError('acme/busy', 'No.'))).to.equal(false);
    // @ts-expect-error: not an existing code
    expect(new ApiError('conflict', 'No.').code === 'conflcit').to.equal(false);
    // @ts-expect-error: 401 needs a challenge, which only the server can give
    expect(() => defineErrorCode('acme/who', { status: 401, title: 'Who?' })).to.throw(TypeError, 'acme/who');
  });

  it('should be distinguishable from startup errors and engine conflicts', () => {
    const all = [
      new ApiError('conflict', 'No.'),
      new StartupError('conflict', 'No.'),
      new EngineConflict('message_delivered', 'No.'),
    ];
    expect(all.map(isApiError)).to.deep.equal([true, false, false]);
    expect(all.map(isStartupError)).to.deep.equal([false, true, false]);
    expect(all.map(isEngineConflict)).to.deep.equal([false, false, true]);
  });

  it('should be recognized under its former name with known codes', () => {
    expect(isApiError(new FormerError('invalid_signature', 'No.'))).to.equal(true);
    expect(isApiError(new FormerError('made_up', 'No.'))).to.equal(false);
    expect(isApiError({ code: 'invalid_signature', message: 'No.' })).to.equal(false);
  });
});

describe('defineErrorCode()', () => {
  it('should refuse a code without a namespace or not in snake_case', () => {
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
