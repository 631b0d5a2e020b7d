import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { DeviceKeyStore } from './device-key-store.js';
import { SigningPair } from './signing-pair.js';
import { ACCOUNT, keychain, SERVER_ID, temporary } from './signing.spec.support.js';

const FACTS = Object.freeze({
  server: SERVER_ID,
  name: 'Laptop',
  createdAt: '2026-11-22T02:00:00.000Z',
  registered: false,
  signsEvery: false,
});

describe('DeviceKeyStore', () => {
  let place: ReturnType<typeof temporary>;

  beforeEach(() => {
    place = temporary();
  });

  afterEach(() => place.remove());

  const store = (key = 7, safe = true): DeviceKeyStore => new DeviceKeyStore(place.file, keychain(key, safe));

  it('should restore a key after a restart from an encrypted file that only this user can read', () => {
    // given
    const pair = SigningPair.make();
    const { d } = JSON.parse(pair.secret()) as { d: string };

    // when
    store().put(ACCOUNT, pair, FACTS);
    store().change(ACCOUNT, { registered: true });

    // then
    expect(store().pair(ACCOUNT)?.keyId).to.equal(pair.keyId);
    expect(store().note(ACCOUNT)).to.deep.include({ ...FACTS, registered: true, keyId: pair.keyId });
    const written = readFileSync(place.file, 'utf8');
    for (const secret of [
      d,
      Buffer.from(d).toString('base64'),
      Buffer.from(d, 'base64url').toString('hex'),
      Buffer.from(pair.secret()).toString('base64'),
    ])
      expect(written).not.to.contain(secret);
    if (process.platform !== 'win32') expect(statSync(place.file).mode & 0o077).to.equal(0);
  });

  it('should store a separate key for each server and person', () => {
    const pair = SigningPair.make();
    store().put(ACCOUNT, pair, FACTS);
    for (const other of [
      { ...ACCOUNT, subject: 'bea' },
      { ...ACCOUNT, profileId: '01938f5a-7c1e-4b62-9d53-0c9a4f1b2e78' },
    ]) {
      expect(store().pair(other)).to.equal(undefined);
      expect(store().note(other)).to.equal(undefined);
    }
    store().put({ ...ACCOUNT, subject: '__proto__' }, SigningPair.make(), FACTS);
    expect(store().pair(ACCOUNT)?.keyId).to.equal(pair.keyId);
  });

  it('should keep a key only in memory if the keychain is not safe, and report the lost key after a restart', () => {
    // given
    const pair = SigningPair.make();
    const first = store(7, false);

    // when
    first.put(ACCOUNT, pair, FACTS);

    // then
    expect([first.keeps, first.pair(ACCOUNT)?.keyId]).to.deep.equal([false, pair.keyId]);
    expect(readFileSync(place.file, 'utf8')).to.contain('"sealed":null');
    expect(store(7, false).pair(ACCOUNT)).to.equal(undefined);
    expect(store(7, false).note(ACCOUNT)?.keyId).to.equal(pair.keyId);
  });

  it('should not return a key that another keychain encrypted or that was replaced in the file', () => {
    // given
    const pair = SigningPair.make();
    store().put(ACCOUNT, pair, FACTS);
    const { keys } = JSON.parse(readFileSync(place.file, 'utf8')) as { keys: object[] };

    // then
    expect(store(9).pair(ACCOUNT)).to.equal(undefined);
    expect(store(9).note(ACCOUNT)?.keyId).to.equal(pair.keyId);
    for (const sealed of ['', 'AAAA', keychain().encrypt(SigningPair.make().secret()).toString('base64')]) {
      writeFileSync(place.file, JSON.stringify({ keys: [{ ...keys[0], sealed }] }));
      expect(store().pair(ACCOUNT), sealed).to.equal(undefined);
    }
  });

  it('should store nothing about a forgotten key or server', () => {
    const mine = store();
    mine.put(ACCOUNT, SigningPair.make(), FACTS);
    mine.put({ ...ACCOUNT, subject: 'bea' }, SigningPair.make(), FACTS);
    mine.forget(ACCOUNT);
    expect([mine.note(ACCOUNT), mine.pair(ACCOUNT)]).to.deep.equal([undefined, undefined]);
    expect(mine.pair({ ...ACCOUNT, subject: 'bea' })).not.to.equal(undefined);
    mine.forgetServer(ACCOUNT.profileId);
    expect(readFileSync(place.file, 'utf8')).to.equal('{"keys":[]}');
  });
});
