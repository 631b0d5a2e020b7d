import { readFile } from 'node:fs/promises';
import { expect } from 'chai';

const BUNDLE = new URL('../workflow-bundle.cjs', import.meta.url);

describe('Stack traces of workflows', () => {
  it('should be disabled before the bundle executes workflows', async () => {
    // when
    const bundle = await readFile(BUNDLE, 'utf8');

    // then
    expect(bundle).to.match(/function preloadModules\(\) \{\s*__webpack_require__\([^;]*disable-stack-traces\.js"\);/);
    expect(bundle).to.include('Error.stackTraceLimit = 0;');
  });
});
