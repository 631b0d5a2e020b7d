import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { createSignatureHeaders, decodeWebhookKey } from './webhook-signature.js';

const createSecret = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`;

describe('signatures of notifications', () => {
  // eslint-disable-next-line no-restricted-syntax -- the verifying library uses the system clock
  const NOW = Date.now();

  it('should be accepted by the Standard Webhooks library only with the same secret, body and id', () => {
    const secret = createSecret(32);
    const body = '{"text":"grüße"}';
    const headers = createSignatureHeaders('id-1', body, [secret], NOW);

    expect(new Webhook(secret).verify(body, headers)).to.deep.equal({ text: 'grüße' });
    expect(() => new Webhook(createSecret(32)).verify(body, headers)).to.throw('No matching signature');
    expect(() => new Webhook(secret).verify(`${body} `, headers)).to.throw('No matching signature');
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'id-2' })).to.throw(
      'No matching signature',
    );
  });

  it('should match the example of the specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"test": 2432232314}';

    expect(createSignatureHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', body, [secret], 1_614_265_330_999)).to.deep.equal({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('should include one signature per secret during a rotation', () => {
    const [current, previous] = [createSecret(24), createSecret(64)];
    const headers = createSignatureHeaders('id-1', '{}', [current, previous], NOW);

    for (const secret of [current, previous]) expect(new Webhook(secret).verify('{}', headers)).to.deep.equal({});
  });

  it('should require a key of 24 to 64 bytes in base64', () => {
    for (const bytes of [24, 32, 64])
      expect(decodeWebhookKey(createSecret(bytes)), String(bytes)).to.have.length(bytes);
    for (const secret of [
      '',
      'whsec_',
      createSecret(23),
      createSecret(65),
      createSecret(32).slice(6),
      'whsec_not base64 at all, but long enough',
      `WHSEC_${createSecret(32).slice(6)}`,
    ]) {
      expect(decodeWebhookKey(secret), secret).to.equal(undefined);
    }
  });
});
