import { Redactor, Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { secretHider } from './hide-secrets.js';

describe('secretHider', () => {
  const secret = 'super-secret-value-0123456789-abcdef-ghijklmno';
  const hide = secretHider({ Env: { TOKEN: new Secret(secret) } }, new Redactor({ current: [] }));

  it('should leave nothing of a secret at the end of what it cuts', () => {
    for (let at = 16_384 - secret.length; at <= 16_384; at += 1) {
      const shown = hide([`${' '.repeat(at)}${secret} and more`]).trim();

      expect(['', '[secret]', 'and more', '[secret] and more'], `at ${at}`).to.include(shown);
    }
  });

  it('should be short where a text is long', () => {
    expect(hide(['x'.repeat(5_000_000)])).to.have.length.below(16_385);
  });
});
