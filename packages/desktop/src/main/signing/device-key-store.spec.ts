import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { DeviceKeyStore } from './device-key-store.js';
import { SigningPair } from './signing-pair.js';
import { ACCOUNT, createKeychain, SERVER_ID, createTemporaryFile } from './signing.spec.support.js';

const KEY_FIELDS = Object.freeze({
  server: SERVER_ID,
  name: 'Laptop',
  createdAt: '2026-11-22T02:00:00.000Z',
  registered: false,
  signsEvery: false,
});

describe('DeviceKeyStore', () => {
  let files: ReturnType<typeof createTemporaryFile>;

  beforeEach(() => {
    files = createTemporaryFile();
  });

  afterEach(() => files.remove());

  const openStore = (key = 7, safe = true): DeviceKeyStore => new DeviceKeyStore(files.file, createKeychain(key, safe));

  it('should restore a key after a restart from an encrypted file that only this user can read', () => {
    // given
    const pair = SigningPair.generate();
    const { d } = JSON.parse(pair.secret()) as { d: string };

    // when
    openStore().put(ACCOUNT, pair, KEY_FIELDS);
    openStore().update(ACCOUNT, { registered: true });

    // then
    expect(openStore().getPair(ACCOUNT)?.keyId).to.equal(pair.keyId);
    expect(openStore().findRecord(ACCOUNT)).to.deep.include({ ...KEY_FIELDS, registered: true, keyId: pair.keyId });
    const written = readFileSync(files.file, 'utf8');
    for (const secret of [
      d,
      Buffer.from(d).toString('base64'),
      Buffer.from(d, 'base64url').toString('hex'),
      Buffer.from(pair.secret()).toString('base64'),
    ])
      expect(written).not.to.contain(secret);
    if (process.platform !== 'win32') expect(statSync(files.file).mode & 0o077).to.equal(0);
  });

  it('should store a separate key for each server and person', () => {
    const pair = SigningPair.generate();
    openStore().put(ACCOUNT, pair, KEY_FIELDS);
    for (const otherAccount of [
      { ...ACCOUNT, subject: 'bea' },
      { ...ACCOUNT, profileId: '01938f5a-7c1e-4b62-9d53-0c9a4f1b2e78' },
    ]) {
      expect(openStore().getPair(otherAccount)).to.equal(undefined);
      expect(openStore().findRecord(otherAccount)).to.equal(undefined);
    }
    openStore().put({ ...ACCOUNT, subject: '__proto__' }, SigningPair.generate(), KEY_FIELDS);
    expect(openStore().getPair(ACCOUNT)?.keyId).to.equal(pair.keyId);
  });

  it('should keep a key only in memory if the keychain is not safe, and report the lost key after a restart', () => {
    // given
    const pair = SigningPair.generate();
    const memoryStore = openStore(7, false);

    // when
    memoryStore.put(ACCOUNT, pair, KEY_FIELDS);

    // then
    expect([memoryStore.isPersistent, memoryStore.getPair(ACCOUNT)?.keyId]).to.deep.equal([false, pair.keyId]);
    expect(readFileSync(files.file, 'utf8')).to.contain('"sealed":null');
    expect(openStore(7, false).getPair(ACCOUNT)).to.equal(undefined);
    expect(openStore(7, false).findRecord(ACCOUNT)?.keyId).to.equal(pair.keyId);
  });

  it('should not return a key that another keychain encrypted or that was replaced in the file', () => {
    // given
    const pair = SigningPair.generate();
    openStore().put(ACCOUNT, pair, KEY_FIELDS);
    const { keys } = JSON.parse(readFileSync(files.file, 'utf8')) as { keys: object[] };

    // then
    expect(openStore(9).getPair(ACCOUNT)).to.equal(undefined);
    expect(openStore(9).findRecord(ACCOUNT)?.keyId).to.equal(pair.keyId);
    for (const sealed of ['', 'AAAA', createKeychain().encrypt(SigningPair.generate().secret()).toString('base64')]) {
      writeFileSync(files.file, JSON.stringify({ keys: [{ ...keys[0], sealed }] }));
      expect(openStore().getPair(ACCOUNT), sealed).to.equal(undefined);
    }
  });

  it('should store nothing about a forgotten key or server', () => {
    const keyStore = openStore();
    keyStore.put(ACCOUNT, SigningPair.generate(), KEY_FIELDS);
    keyStore.put({ ...ACCOUNT, subject: 'bea' }, SigningPair.generate(), KEY_FIELDS);
    keyStore.forget(ACCOUNT);
    expect([keyStore.findRecord(ACCOUNT), keyStore.getPair(ACCOUNT)]).to.deep.equal([undefined, undefined]);
    expect(keyStore.getPair({ ...ACCOUNT, subject: 'bea' })).not.to.equal(undefined);
    keyStore.forgetServer(ACCOUNT.profileId);
    expect(readFileSync(files.file, 'utf8')).to.equal('{"keys":[]}');
  });
});
