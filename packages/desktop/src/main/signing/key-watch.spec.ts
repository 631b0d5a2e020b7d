import { ConnectionError, type SigningKey } from '@countersign/contract';
import { expect } from 'chai';
import { ManualClock } from '../presence/clock.spec.support.js';
import { KeyWatch } from './key-watch.js';

const MINUTE = 60_000;

describe('KeyWatch', () => {
  const createKey = (keyId: string, isEnrolled = true): SigningKey =>
    ({
      keyId,
      revokedAt: null,
      enrolment: isEnrolled ? { method: 'sign_in', by: null, at: '' } : null,
    }) as unknown as SigningKey;

  it('should report a key of another device once when it is added and once when it is enrolled', async () => {
    // given
    const clock = new ManualClock();
    const reportedKeys: [string, boolean][] = [];
    let keys: SigningKey[] | undefined = [createKey('laptop')];
    let onPolled: () => void = () => undefined;
    const watch = new KeyWatch({
      client: {
        listMySigningKeys: () =>
          keys === undefined
            ? Promise.reject(new ConnectionError(undefined))
            : Promise.resolve({ items: keys, nextCursor: null }),
      },
      clock,
      isThisDevice: (keyId) => keyId === 'here',
      onNews: ({ keyId, enrolment }) => void reportedKeys.push([keyId, enrolment !== null]),
      onPolled: () => onPolled(),
    });
    const pollWith = async (newKeys: SigningKey[]): Promise<void> => {
      keys = newKeys;
      const polled = new Promise<void>((resolve) => (onPolled = resolve));
      clock.advance(MINUTE);
      await polled;
      // wait until the next poll is scheduled
      await new Promise(setImmediate);
    };

    // when
    await watch.check();
    await pollWith([createKey('laptop'), createKey('here')]);
    expect(reportedKeys).to.deep.equal([]);
    await pollWith([createKey('laptop'), createKey('here'), createKey('phone', false)]);
    await pollWith([createKey('laptop'), createKey('here'), createKey('phone', false)]);
    keys = undefined;
    clock.advance(MINUTE);
    await new Promise(setImmediate);
    await pollWith([createKey('laptop'), createKey('phone')]);

    // then
    expect(reportedKeys).to.deep.equal([
      ['phone', false],
      ['phone', true],
    ]);
    watch.stop();
    keys = [createKey('tablet')];
    clock.advance(10 * MINUTE);
    expect(reportedKeys).to.have.length(2);
  });
});
