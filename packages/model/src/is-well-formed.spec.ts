import { expect } from 'chai';
import { isArtifactName } from './artifact-name.js';
import { isWellFormed } from './is-well-formed.js';

const NATIVE_DESCRIPTOR = Object.getOwnPropertyDescriptor(String.prototype, 'isWellFormed')!;

for (const isNativeAvailable of [true, false]) {
  describe(`isWellFormed ${isNativeAvailable ? 'with' : 'without'} String.prototype.isWellFormed`, () => {
    before(() => {
      if (!isNativeAvailable) Reflect.deleteProperty(String.prototype, 'isWellFormed');
    });

    after(() => {
      Object.defineProperty(String.prototype, 'isWellFormed', NATIVE_DESCRIPTOR);
    });

    it('should refuse only lone surrogates', () => {
      for (const text of ['', 'notes.md', '💩', 'a💩b']) expect(isWellFormed(text), text).to.equal(true);
      for (const text of ['\ud83d', 'a\udca9', '\udca9\ud83d', '💩\ud83d'])
        expect(isWellFormed(text), JSON.stringify(text)).to.equal(false);
    });

    it('should make isArtifactName refuse names with lone surrogates', () => {
      expect(isArtifactName('notes 💩.md')).to.equal(true);
      expect(isArtifactName('\ud83d')).to.equal(false);
    });
  });
}
