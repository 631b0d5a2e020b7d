import { expect } from 'chai';
import { toDialogText } from './to-dialog-text.js';

describe('toDialogText', () => {
  it('should put ordinary text on one line without other changes', () => {
    expect(toDialogText(' Approve\n\tthe release 1.4.0 – “Grüße” <b>&amp;</b> ', 100)).to.equal(
      'Approve the release 1.4.0 – “Grüße” <b>&amp;</b>',
    );
  });

  it('should show bidirectional, invisible and control characters by code point', () => {
    expect(toDialogText('pay \u202E001\u202C now\u200B', 100)).to.equal('pay ⟦U+202E⟧001⟦U+202C⟧ now⟦U+200B⟧');
    expect(toDialogText('a\u0000b\u001Bc\u2028d\u2029e\u3164f\uFEFF', 100)).to.equal(
      'a⟦U+0000⟧b⟦U+001B⟧c⟦U+2028⟧d⟦U+2029⟧e⟦U+3164⟧f⟦U+FEFF⟧',
    );
    expect(toDialogText(`e${'\u0301'.repeat(7)}`, 100)).to.equal(`e${'\u0301'.repeat(5)}⟦U+0301⟧⟦U+0301⟧`);
  });

  it('should report the number of omitted characters and not cut within a character', () => {
    expect(toDialogText('🐙'.repeat(1_203), 3)).to.equal('🐙🐙🐙 … (1,200 more characters)');
  });
});
