import { expect } from 'chai';
import { showsEngine } from './shows-engine.js';

describe('showsEngine()', () => {
  for (const [runEngine, serverEngine, expected] of [
    ['embedded', 'embedded', false],
    ['temporal', 'embedded', true],
    ['embedded', 'temporal', true],
    ['temporal', 'temporal', true],
    ['temporal', undefined, true],
    ['embedded', undefined, false],
    [undefined, 'temporal', false],
    [undefined, undefined, false],
  ] as const) {
    it(`should be ${expected} for a run of the engine ${runEngine} on a server with the engine ${serverEngine}`, () => {
      const run = runEngine === undefined ? {} : { engine: runEngine };
      const me = serverEngine === undefined ? {} : { engine: { name: serverEngine } };
      expect(showsEngine(run, me)).to.equal(expected);
    });
  }
});
