import { isoIn, currentTime } from '@countersign/model/testing';
import { createHash } from 'node:crypto';
import { ConnectionError, type SigningKey } from '@countersign/contract';
import { expect } from 'chai';
import type { ActionResult } from '../../common/bridge.js';
import { problemError } from '../problem-error.spec.support.js';
import type { ConfirmationPrompt } from './confirm.js';
import { DeviceSigning } from './device-signing.js';
import { DeviceKeyStore } from './device-key-store.js';
import { ACCOUNT, keychain, SERVER_ID, temporary } from './signing.spec.support.js';

const HOUR = 3_600_000;
const ENROLLED = { method: 'sign_in', by: null, at: '2026-11-22T02:00:00.000Z' } as const;

describe('DeviceSigning', () => {
  let place: ReturnType<typeof temporary>;
  let store: DeviceKeyStore;
  let keys: SigningKey[];
  let serverId: string;
  let failure: Error | undefined;
  let proofs: { readonly at: string; readonly subject: string }[];
  let asked: ConfirmationPrompt[];
  let says: boolean;
  /** Whether the server considers the sign-in recent enough for an enrolment. */
  let enrols: boolean;
  let signInAgain: () => ActionResult;
  let countersignatures: Record<string, string>[];

  beforeEach(() => {
    place = temporary();
    store = new DeviceKeyStore(place.file, keychain());
    [keys, proofs, asked] = [[], [], []];
    [serverId, failure, says, enrols, countersignatures] = [SERVER_ID, undefined, true, true, []];
    signInAgain = () => {
      throw new Error('Nobody was to sign in again.');
    };
  });

  afterEach(() => place.remove());

  const keyIdOf = (x: string): string =>
    createHash('sha256')
      .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
      .digest('base64url');
  const revoke = (keyId: string): SigningKey => {
    keys = keys.map((key) => (key.keyId === keyId ? { ...key, revokedAt: '2026-11-22T03:00:00.000Z' } : key));
    return keys.find((key) => key.keyId === keyId) as SigningKey;
  };
  const device = (): DeviceSigning =>
    new DeviceSigning({
      account: ACCOUNT,
      server: { name: 'Work', url: 'https://countersign.example.com' },
      store,
      log: { info: () => undefined, warn: () => undefined, failure: () => undefined },
      deviceName: 'thinkpad',
      signInAgain: () => Promise.resolve(signInAgain()),
      onState: () => undefined,
      ask: (question) => Promise.resolve(void asked.push(question)).then(() => says),
      client: {
        // The clock of the server is an hour ahead of the local clock.
        getSigning: () =>
          Promise.resolve({
            serverId,
            now: isoIn(HOUR),
            windowSeconds: 600,
            signIn: { maxAgeSeconds: 600, acrValues: [] },
          }),
        listMySigningKeys: () =>
          failure === undefined ? Promise.resolve({ items: keys, nextCursor: null }) : Promise.reject(failure),
        registerSigningKey: ({ body: { publicKey, name, proof } }) => {
          if (failure !== undefined) return Promise.reject(failure);
          proofs.push(
            JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString()) as (typeof proofs)[number],
          );
          const key = {
            keyId: keyIdOf(publicKey.x),
            subject: 'ada',
            name,
            publicKey,
            createdAt: '2026-11-22T02:00:00.000Z',
            enrolment: enrols ? ENROLLED : null,
            lastUsedAt: null,
            revokedAt: null,
            revokedBy: null,
          };
          keys = [key, ...keys.filter(({ keyId }) => keyId !== key.keyId)];
          return Promise.resolve(key);
        },
        countersignMySigningKey: ({ keyId, body: { countersignature } }) => {
          countersignatures.push(
            JSON.parse(Buffer.from(countersignature.split('.')[1] ?? '', 'base64url').toString()) as Record<
              string,
              string
            >,
          );
          keys = keys.map((key) => (key.keyId === keyId ? { ...key, enrolment: ENROLLED } : key));
          return Promise.resolve(keys.find((key) => key.keyId === keyId) as SigningKey);
        },
        revokeMySigningKey: ({ keyId }) => Promise.resolve(revoke(keyId)),
      },
    });

  it('should create one key for concurrent requests and use the time of the server in the proof', async () => {
    // when
    const here = device();
    const done = await Promise.all([here.setUp('Laptop'), here.setUp('Laptop'), here.setUp('Again')]);

    // then
    expect(done).to.deep.equal([{ ok: true }, { ok: true }, { ok: true }]);
    expect([keys.length, asked.length, here.state.status, here.usable?.pair.keyId]).to.deep.equal([
      1,
      1,
      'ready',
      keys[0]?.keyId,
    ]);
    expect(proofs[0]?.subject).to.equal('ada');
    expect(Math.abs(Date.parse(proofs[0]?.at ?? '') - currentTime() - HOUR)).to.be.below(60_000);
  });

  it('should create no key if the person declines', async () => {
    says = false;
    const here = device();
    expect(await here.setUp('Laptop')).to.include({ ok: false, code: 'declined' });
    expect([keys, here.state.status, store.note(ACCOUNT)]).to.deep.equal([[], 'none', undefined]);
  });

  it('should register the stored key later if the first registration failed', async () => {
    // given
    failure = new ConnectionError(undefined);
    expect(await device().setUp('Laptop')).to.include({ ok: false, code: 'unreachable' });
    const kept = store.note(ACCOUNT)?.keyId;

    // when
    failure = undefined;
    store = new DeviceKeyStore(place.file, keychain());
    const later = device();
    await later.check();
    expect([later.state.status, later.usable]).to.deep.equal(['unregistered', undefined]);
    await later.setUp('Laptop');

    // then
    expect([later.state.status, keys.map(({ keyId }) => keyId)]).to.deep.equal(['ready', [kept]]);
  });

  it('should detect a registered key after the response to the registration was lost', async () => {
    await device().setUp('Laptop');
    store.change(ACCOUNT, { registered: false });
    const later = device();
    expect(later.state.status).to.equal('unregistered');
    await later.check();
    expect([later.state.status, store.note(ACCOUNT)?.registered]).to.deep.equal(['ready', true]);
  });

  it('should delete the key if the server refuses the registration', async () => {
    failure = problemError(409, 'too_many_signing_keys');
    const here = device();
    expect(await here.setUp('Laptop')).to.include({ ok: false, code: 'too_many_signing_keys' });
    expect([here.state.status, store.note(ACCOUNT)]).to.deep.equal(['none', undefined]);
  });

  it('should not sign with a key that is not enrolled, and enrol the key by a new sign-in', async () => {
    // given
    enrols = false;
    const here = device();
    expect(await here.setUp('Laptop')).to.deep.equal({ ok: true });
    expect([here.state.status, here.usable]).to.deep.equal(['not-enrolled', undefined]);
    const restarted = device();
    await restarted.check();
    expect(restarted.state.status).to.equal('not-enrolled');

    // when
    signInAgain = () => ({ ok: false, code: 'given_up', message: 'The sign-in was cancelled.' });
    expect(await here.enrol()).to.include({ ok: false, code: 'given_up' });
    signInAgain = () => ({ ok: true });
    expect(await here.enrol()).to.include({ ok: false, code: 'signing_key_not_enrolled' });
    expect([here.state.status, here.usable]).to.deep.equal(['not-enrolled', undefined]);
    signInAgain = () => {
      enrols = true;
      return { ok: true };
    };

    // then
    expect(await here.enrol()).to.deep.equal({ ok: true });
    expect([here.state.status, keys.length, asked.length]).to.deep.equal(['ready', 1, 1]);
    here.refused('signing_key_not_enrolled');
    expect(here.state.status).to.equal('not-enrolled');
    signInAgain = () => {
      throw new Error('The sign-in of now is fresh enough.');
    };
    expect(await here.enrol()).to.deep.equal({ ok: true });
  });

  it('should countersign the key of another device only after the person confirms in a system dialog', async () => {
    // given
    const here = device();
    await here.setUp('Laptop');
    const [own] = keys;
    const phone = { ...own, keyId: 'p'.repeat(43), name: 'Phone', enrolment: null } as SigningKey;
    keys = [phone, ...keys];

    // when
    says = false;
    expect(await here.countersign(phone.keyId)).to.include({ ok: false, code: 'declined' });
    expect(countersignatures).to.deep.equal([]);
    says = true;
    expect(await here.countersign(phone.keyId)).to.deep.equal({ ok: true });

    // then
    const [{ at, ...said } = {}] = countersignatures;
    expect(said).to.deep.equal({ server: SERVER_ID, subject: 'ada', enrolledKeyId: phone.keyId, keyId: own?.keyId });
    expect(Math.abs(Date.parse(at ?? '') - currentTime() - HOUR)).to.be.below(60_000);
    expect(asked.at(-1)?.message).to.contain('Phone');
    expect(asked.at(-1)?.detail).to.contain(phone.keyId);
  });

  it('should stop signing when the key is revoked or lost, or when the server or the owner has changed', async () => {
    // given
    await device().setUp('Laptop');
    const keyId = keys[0]?.keyId ?? '';
    const statusAfter = async (change: () => void): Promise<string> => {
      change();
      const here = device();
      await here.check();
      if (here.state.status !== 'ready') expect(here.usable).to.equal(undefined);
      return here.state.status;
    };

    // then
    expect(await statusAfter(() => (failure = new ConnectionError(undefined)))).to.equal('ready');
    failure = undefined;
    expect(await statusAfter(() => (serverId = '01890a5d-ac96-774b-bcce-b302099a8058'))).to.equal('other-server');
    serverId = SERVER_ID;
    expect(await statusAfter(() => revoke(keyId))).to.equal('revoked');
    expect(await statusAfter(() => (keys = []))).to.equal('not-mine');
    const refused = device();
    refused.refused('stale_digest');
    expect(refused.state.status).to.equal('ready');
    refused.refused('signing_key_revoked');
    expect(refused.state.status).to.equal('revoked');
    store = new DeviceKeyStore(place.file, keychain(9));
    expect(await statusAfter(() => undefined)).to.equal('lost');
  });

  it('should announce that the new key will revoke the lost key, and revoke it', async () => {
    // given
    store = new DeviceKeyStore(place.file, keychain(7, false));
    await device().setUp('Laptop');
    const gone = keys[0]?.keyId ?? '';
    store = new DeviceKeyStore(place.file, keychain(7, false));
    const later = device();
    await later.check();
    expect(later.state).to.deep.include({ status: 'lost', keeps: false });

    // when
    await later.setUp('Laptop');

    // then
    expect(asked.at(-1)?.detail)
      .to.contain(gone.slice(0, 12))
      .and.to.contain('will be revoked')
      .and.to.contain('memory');
    expect(keys.map(({ keyId, revokedAt }) => [keyId === gone, revokedAt === null])).to.deep.equal([
      [false, true],
      [true, false],
    ]);
    expect(later.state.status).to.equal('ready');
  });

  it('should revoke a key only after the person confirms the plan, and delete the key of this device', async () => {
    // given
    const here = device();
    await here.setUp('Laptop');
    const keyId = keys[0]?.keyId ?? '';

    // when
    says = false;
    expect(await here.revoke(keyId)).to.include({ ok: false, code: 'declined' });
    expect(keys[0]?.revokedAt).to.equal(null);
    expect(await here.revoke('x'.repeat(43))).to.include({ ok: false, code: 'signing_key_not_found' });
    says = true;
    expect(await here.revoke(keyId)).to.deep.equal({ ok: true });

    // then
    expect(asked.at(-1)?.detail).to.contain('from now on').and.to.contain('this device’s key').and.to.contain(keyId);
    expect([here.state.status, here.usable, keys[0]?.revokedAt === null]).to.deep.equal(['none', undefined, false]);
  });

  it('should ask for confirmation before it stops signing every vote, but not before it starts', async () => {
    const here = device();
    expect(await here.setSignsEvery(true)).to.include({ ok: false, code: 'no_signing_key' });
    await here.setUp('Laptop');
    asked = [];
    await here.setSignsEvery(true);
    expect([here.state.signsEvery, asked.length]).to.deep.equal([true, 0]);
    says = false;
    expect(await here.setSignsEvery(false)).to.include({ ok: false, code: 'declined' });
    expect([here.state.signsEvery, asked.length]).to.deep.equal([true, 1]);
  });
});
