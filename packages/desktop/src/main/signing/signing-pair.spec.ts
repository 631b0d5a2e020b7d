import { createPublicKey, verify } from 'node:crypto';
import { inspect } from 'node:util';
import { buildKeySigningInput } from '@countersign/contract';
import { expect } from 'chai';
import { SigningPair } from './signing-pair.js';

describe('SigningPair', () => {
  it('should generate a new key pair each time and create signatures that its public key verifies', () => {
    // given
    const pair = SigningPair.generate();
    const statement = buildKeySigningInput({
      server: 's',
      subject: 'ada',
      keyId: pair.keyId,
      at: '2026-11-22T02:00:00.000Z',
    });

    // when
    const [header = '', payload = '', signature = ''] = pair.signStatement(statement).split('.');

    // then
    expect(
      verify(
        null,
        Buffer.from(`${header}.${payload}`),
        createPublicKey({ key: { ...pair.publicKey }, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      ),
    ).to.equal(true);
    expect(SigningPair.generate().keyId).not.to.equal(pair.keyId);
  });

  it('should have the same key id after it is restored from its secret', () => {
    // RFC 8037, appendix A
    const secret = JSON.stringify({
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    });
    const pair = SigningPair.fromSecret(secret);
    expect(pair.keyId).to.equal('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
    expect(SigningPair.fromSecret(pair.secret()).keyId).to.equal(pair.keyId);
  });

  it('should refuse an invalid secret or a secret that combines the halves of two key pairs', () => {
    const { x } = JSON.parse(SigningPair.generate().secret()) as { x: string };
    const other = JSON.parse(SigningPair.generate().secret()) as { d: string };
    for (const secret of ['', '{}', '{"x":"a","d":"b"}', JSON.stringify({ x, d: other.d })])
      expect(() => SigningPair.fromSecret(secret), secret).to.throw();
  });

  it('should not contain the private key when it is printed', () => {
    const pair = SigningPair.generate();
    const { d } = JSON.parse(pair.secret()) as { d: string };
    for (const printed of [JSON.stringify(pair), inspect(pair, { depth: 9, showHidden: true }), String(pair)])
      expect(printed).not.to.contain(d);
  });
});
