import { isoTimeIn, currentTime } from '@countersign/model/testing';
import { createHash } from 'node:crypto';
import { ConnectionError, type SigningKey } from '@countersign/contract';
import { expect } from 'chai';
import type { ActionResult } from '../../common/bridge.js';
import { createProblemError } from '../problem-error.spec.support.js';
import type { ConfirmationPrompt } from './confirm.js';
import { DeviceSigning } from './device-signing.js';
import { DeviceKeyStore } from './device-key-store.js';
import { ACCOUNT, createKeychain, SERVER_ID, createTemporaryFile } from './signing.spec.support.js';

const HOUR = 3_600_000;
const ENROLLED = { method: 'sign_in', by: null, at: '2026-11-22T02:00:00.000Z' } as const;

describe('DeviceSigning', () => {
  let files: ReturnType<typeof createTemporaryFile>;
  let store: DeviceKeyStore;
  let keys: SigningKey[];
  let serverId: string;
  let failure: Error | undefined;
  let proofs: { readonly at: string; readonly subject: string }[];
  let prompts: ConfirmationPrompt[];
  let isConfirmed: boolean;
  /** Whether the server considers the sign-in recent enough for an enrolment. */
  let isSignInRecent: boolean;
  let signInAgain: () => ActionResult;
  let countersignatures: Record<string, string>[];

  beforeEach(() => {
    files = createTemporaryFile();
    store = new DeviceKeyStore(files.file, createKeychain());
    [keys, proofs, prompts] = [[], [], []];
    [serverId, failure, isConfirmed, isSignInRecent, countersignatures] = [SERVER_ID, undefined, true, true, []];
    signInAgain = () => {
      throw new Error('The user must not be asked to sign in again.');
    };
  });

  afterEach(() => files.remove());

  const computeKeyId = (x: string): string =>
    createHash('sha256')
      .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
      .digest('base64url');
  const revoke = (keyId: string): SigningKey => {
    keys = keys.map((key) => (key.keyId === keyId ? { ...key, revokedAt: '2026-11-22T03:00:00.000Z' } : key));
    return keys.find((key) => key.keyId === keyId) as SigningKey;
  };
  const createDeviceSigning = (): DeviceSigning =>
    new DeviceSigning({
      account: ACCOUNT,
      server: { name: 'Work', url: 'https://countersign.example.com' },
      store,
      log: { info: () => undefined, warn: () => undefined, failure: () => undefined },
      deviceName: 'thinkpad',
      signInAgain: () => Promise.resolve(signInAgain()),
      onState: () => undefined,
      confirm: (question) => Promise.resolve(void prompts.push(question)).then(() => isConfirmed),
      client: {
        // The clock of the server is an hour ahead of the local clock.
        getSigning: () =>
          Promise.resolve({
            serverId,
            now: isoTimeIn(HOUR),
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
            keyId: computeKeyId(publicKey.x),
            subject: 'ada',
            name,
            publicKey,
            createdAt: '2026-11-22T02:00:00.000Z',
            enrolment: isSignInRecent ? ENROLLED : null,
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

  it('should create one key for concurrent requests and use the server time in the proof', async () => {
    // when
    const deviceSigning = createDeviceSigning();
    const results = await Promise.all([
      deviceSigning.setUp('Laptop'),
      deviceSigning.setUp('Laptop'),
      deviceSigning.setUp('Second laptop'),
    ]);

    // then
    expect(results).to.deep.equal([{ ok: true }, { ok: true }, { ok: true }]);
    expect([keys.length, prompts.length, deviceSigning.state.status, deviceSigning.readyKey?.pair.keyId]).to.deep.equal(
      [1, 1, 'ready', keys[0]?.keyId],
    );
    expect(proofs[0]?.subject).to.equal('ada');
    expect(Math.abs(Date.parse(proofs[0]?.at ?? '') - currentTime() - HOUR)).to.be.below(60_000);
  });

  it('should create no key if the person declines', async () => {
    isConfirmed = false;
    const deviceSigning = createDeviceSigning();
    expect(await deviceSigning.setUp('Laptop')).to.include({ ok: false, code: 'declined' });
    expect([keys, deviceSigning.state.status, store.findRecord(ACCOUNT)]).to.deep.equal([[], 'none', undefined]);
  });

  it('should register the stored key later if the first registration failed', async () => {
    // given
    failure = new ConnectionError(undefined);
    expect(await createDeviceSigning().setUp('Laptop')).to.include({ ok: false, code: 'unreachable' });
    const storedKeyId = store.findRecord(ACCOUNT)?.keyId;

    // when
    failure = undefined;
    store = new DeviceKeyStore(files.file, createKeychain());
    const restartedSigning = createDeviceSigning();
    await restartedSigning.check();
    expect([restartedSigning.state.status, restartedSigning.readyKey]).to.deep.equal(['unregistered', undefined]);
    await restartedSigning.setUp('Laptop');

    // then
    expect([restartedSigning.state.status, keys.map(({ keyId }) => keyId)]).to.deep.equal(['ready', [storedKeyId]]);
  });

  it('should detect a registered key after the response to the registration was lost', async () => {
    await createDeviceSigning().setUp('Laptop');
    store.update(ACCOUNT, { registered: false });
    const restartedSigning = createDeviceSigning();
    expect(restartedSigning.state.status).to.equal('unregistered');
    await restartedSigning.check();
    expect([restartedSigning.state.status, store.findRecord(ACCOUNT)?.registered]).to.deep.equal(['ready', true]);
  });

  it('should delete the key if the server refuses the registration', async () => {
    failure = createProblemError(409, 'too_many_signing_keys');
    const deviceSigning = createDeviceSigning();
    expect(await deviceSigning.setUp('Laptop')).to.include({ ok: false, code: 'too_many_signing_keys' });
    expect([deviceSigning.state.status, store.findRecord(ACCOUNT)]).to.deep.equal(['none', undefined]);
  });

  it('should not sign with a key that is not enrolled, but enrol it after a new sign-in', async () => {
    // given
    isSignInRecent = false;
    const deviceSigning = createDeviceSigning();
    expect(await deviceSigning.setUp('Laptop')).to.deep.equal({ ok: true });
    expect([deviceSigning.state.status, deviceSigning.readyKey]).to.deep.equal(['not-enrolled', undefined]);
    const restarted = createDeviceSigning();
    await restarted.check();
    expect(restarted.state.status).to.equal('not-enrolled');

    // when
    signInAgain = () => ({ ok: false, code: 'given_up', message: 'The sign-in was cancelled.' });
    expect(await deviceSigning.enrol()).to.include({ ok: false, code: 'given_up' });
    signInAgain = () => ({ ok: true });
    expect(await deviceSigning.enrol()).to.include({ ok: false, code: 'signing_key_not_enrolled' });
    expect([deviceSigning.state.status, deviceSigning.readyKey]).to.deep.equal(['not-enrolled', undefined]);
    signInAgain = () => {
      isSignInRecent = true;
      return { ok: true };
    };

    // then
    expect(await deviceSigning.enrol()).to.deep.equal({ ok: true });
    expect([deviceSigning.state.status, keys.length, prompts.length]).to.deep.equal(['ready', 1, 1]);
    deviceSigning.onVoteRefused('signing_key_not_enrolled');
    expect(deviceSigning.state.status).to.equal('not-enrolled');
    signInAgain = () => {
      throw new Error('The last sign-in is recent enough.');
    };
    expect(await deviceSigning.enrol()).to.deep.equal({ ok: true });
  });

  it('should countersign the key of another device only after the person confirms in a system dialog', async () => {
    // given
    const deviceSigning = createDeviceSigning();
    await deviceSigning.setUp('Laptop');
    const [ownKey] = keys;
    const phoneKey = { ...ownKey, keyId: 'p'.repeat(43), name: 'Phone', enrolment: null } as SigningKey;
    keys = [phoneKey, ...keys];

    // when
    isConfirmed = false;
    expect(await deviceSigning.countersign(phoneKey.keyId)).to.include({ ok: false, code: 'declined' });
    expect(countersignatures).to.deep.equal([]);
    isConfirmed = true;
    expect(await deviceSigning.countersign(phoneKey.keyId)).to.deep.equal({ ok: true });

    // then
    const [{ at, ...statement } = {}] = countersignatures;
    expect(statement).to.deep.equal({
      server: SERVER_ID,
      subject: 'ada',
      enrolledKeyId: phoneKey.keyId,
      keyId: ownKey?.keyId,
    });
    expect(Math.abs(Date.parse(at ?? '') - currentTime() - HOUR)).to.be.below(60_000);
    expect(prompts.at(-1)?.message).to.contain('Phone');
    expect(prompts.at(-1)?.detail).to.contain(phoneKey.keyId);
  });

  it('should stop signing when the key is revoked or lost, or when the server or the owner of the key has changed', async () => {
    // given
    await createDeviceSigning().setUp('Laptop');
    const keyId = keys[0]?.keyId ?? '';
    const getStatusAfter = async (change: () => void): Promise<string> => {
      change();
      const deviceSigning = createDeviceSigning();
      await deviceSigning.check();
      if (deviceSigning.state.status !== 'ready') expect(deviceSigning.readyKey).to.equal(undefined);
      return deviceSigning.state.status;
    };

    // then
    expect(await getStatusAfter(() => (failure = new ConnectionError(undefined)))).to.equal('ready');
    failure = undefined;
    expect(await getStatusAfter(() => (serverId = '01890a5d-ac96-774b-bcce-b302099a8058'))).to.equal('other-server');
    serverId = SERVER_ID;
    expect(await getStatusAfter(() => revoke(keyId))).to.equal('revoked');
    expect(await getStatusAfter(() => (keys = []))).to.equal('not-mine');
    const refused = createDeviceSigning();
    refused.onVoteRefused('stale_digest');
    expect(refused.state.status).to.equal('ready');
    refused.onVoteRefused('signing_key_revoked');
    expect(refused.state.status).to.equal('revoked');
    store = new DeviceKeyStore(files.file, createKeychain(9));
    expect(await getStatusAfter(() => undefined)).to.equal('lost');
  });

  it('should announce that the new key will revoke the lost key, and revoke it', async () => {
    // given
    store = new DeviceKeyStore(files.file, createKeychain(7, false));
    await createDeviceSigning().setUp('Laptop');
    const lostKeyId = keys[0]?.keyId ?? '';
    store = new DeviceKeyStore(files.file, createKeychain(7, false));
    const restartedSigning = createDeviceSigning();
    await restartedSigning.check();
    expect(restartedSigning.state).to.deep.include({ status: 'lost', keeps: false });

    // when
    await restartedSigning.setUp('Laptop');

    // then
    expect(prompts.at(-1)?.detail)
      .to.contain(lostKeyId.slice(0, 12))
      .and.to.contain('will be revoked')
      .and.to.contain('memory');
    expect(keys.map(({ keyId, revokedAt }) => [keyId === lostKeyId, revokedAt === null])).to.deep.equal([
      [false, true],
      [true, false],
    ]);
    expect(restartedSigning.state.status).to.equal('ready');
  });

  it('should revoke a key only after the person confirms the plan, and delete the key of this device', async () => {
    // given
    const deviceSigning = createDeviceSigning();
    await deviceSigning.setUp('Laptop');
    const keyId = keys[0]?.keyId ?? '';

    // when
    isConfirmed = false;
    expect(await deviceSigning.revoke(keyId)).to.include({ ok: false, code: 'declined' });
    expect(keys[0]?.revokedAt).to.equal(null);
    expect(await deviceSigning.revoke('x'.repeat(43))).to.include({ ok: false, code: 'signing_key_not_found' });
    isConfirmed = true;
    expect(await deviceSigning.revoke(keyId)).to.deep.equal({ ok: true });

    // then
    expect(prompts.at(-1)?.detail).to.contain('from now on').and.to.contain('this device’s key').and.to.contain(keyId);
    expect([deviceSigning.state.status, deviceSigning.readyKey, keys[0]?.revokedAt === null]).to.deep.equal([
      'none',
      undefined,
      false,
    ]);
  });

  it('should ask for confirmation before signing of every vote is turned off, but not before it is turned on', async () => {
    const deviceSigning = createDeviceSigning();
    expect(await deviceSigning.setSignsEvery(true)).to.include({ ok: false, code: 'no_signing_key' });
    await deviceSigning.setUp('Laptop');
    prompts = [];
    await deviceSigning.setSignsEvery(true);
    expect([deviceSigning.state.signsEveryVote, prompts.length]).to.deep.equal([true, 0]);
    isConfirmed = false;
    expect(await deviceSigning.setSignsEvery(false)).to.include({ ok: false, code: 'declined' });
    expect([deviceSigning.state.signsEveryVote, prompts.length]).to.deep.equal([true, 1]);
  });
});
