import { ConnectionError, type SigningKey } from '@countersign/contract';
import { expect } from 'chai';
import { HandClock } from '../presence/clock.spec.support.js';
import { KeyWatch } from './key-watch.js';

const MINUTE = 60_000;

describe('KeyWatch', () => {
  const key = (keyId: string, enrolled = true): SigningKey =>
    ({
      keyId,
      revokedAt: null,
      enrolment: enrolled ? { method: 'sign_in', by: null, at: '' } : null,
    }) as unknown as SigningKey;

  it('should report a key of another device once when it is added and once when it is enrolled', async () => {
    // given
    const clock = new HandClock();
    const told: [string, boolean][] = [];
    let keys: SigningKey[] | undefined = [key('laptop')];
    let looked: () => void = () => undefined;
    const watch = new KeyWatch({
      client: {
        listMySigningKeys: () =>
          keys === undefined
            ? Promise.reject(new ConnectionError(undefined))
            : Promise.resolve({ items: keys, nextCursor: null }),
      },
      clock,
      isHere: (keyId) => keyId === 'here',
      onNews: ({ keyId, enrolment }) => void told.push([keyId, enrolment !== null]),
      onLook: () => looked(),
    });
    const next = async (now: SigningKey[]): Promise<void> => {
      keys = now;
      const done = new Promise<void>((resolve) => (looked = resolve));
      clock.pass(MINUTE);
      await done;
      // wait until the next poll is scheduled
      await new Promise(setImmediate);
    };

    // when
    await watch.look();
    await next([key('laptop'), key('here')]);
    expect(told).to.deep.equal([]);
    await next([key('laptop'), key('here'), key('phone', false)]);
    await next([key('laptop'), key('here'), key('phone', false)]);
    keys = undefined;
    clock.pass(MINUTE);
    await new Promise(setImmediate);
    await next([key('laptop'), key('phone')]);

    // then
    expect(told).to.deep.equal([
      ['phone', false],
      ['phone', true],
    ]);
    watch.stop();
    keys = [key('stranger')];
    clock.pass(10 * MINUTE);
    expect(told).to.have.length(2);
  });
});
