import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';

const BUNDLE = new URL('../workflow-bundle.cjs', import.meta.url);

describe('Stack traces of workflows', () => {
  it('should be disabled by the bundle', async () => {
    // given
    const globals = { URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, AsyncLocalStorage };
    const sandbox = createContext({ ...globals, __webpack_module_cache__: {} });
    runInContext(await readFile(BUNDLE, 'utf8'), sandbox);

    // when
    runInContext('__TEMPORAL__.preloadModules()', sandbox);

    // then
    expect(runInContext('Error.stackTraceLimit', sandbox)).to.equal(0);
  });
});
