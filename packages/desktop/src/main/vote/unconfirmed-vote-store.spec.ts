import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Log } from '../app/log.js';
import type { Keychain } from '../session/token-vault.js';
import { UnconfirmedVoteStore, type SentVote } from './unconfirmed-vote-store.js';

const DAY = 24 * 60 * 60 * 1_000;
const ACCOUNT = { serverId: '7c9e6679-7425-40de-944b-e07fc1f90ae7', subject: 'ada' };

describe('UnconfirmedVoteStore', () => {
  const flipBits = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  const createKeychain = (safe: boolean): Keychain => ({
    isSafe: () => safe,
    encrypt: (text) => flipBits(Buffer.from(text)),
    decrypt: (bytes) => flipBits(bytes).toString(),
  });
  const createSentVote = (idempotencyKey: string, overrides: Partial<SentVote> = {}): SentVote => ({
    ...ACCOUNT,
    approvalId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
    runId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e78',
    title: 'Approve the release',
    idempotencyKey,
    body: {
      decision: 'reject',
      expectedDigest: `sha256:${'3f'.repeat(32)}`,
      round: 2,
      comment: 'No.',
      shown: [{ name: 'notes.md', sha256: '0'.repeat(64), percent: 40, downloaded: false }],
      signature: 'a.b.c',
    },
    sentAt: now,
    ...overrides,
  });
  let directory: string;
  let path: string;
  let now: number;
  let warnings: string[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-votes-'));
    path = join(directory, 'votes');
    now = 1_000;
    warnings = [];
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const log: Log = {
    info: () => undefined,
    warn: (event) => void warnings.push(event),
    failure: (event) => void warnings.push(event),
  };
  const openStore = (safe = true): UnconfirmedVoteStore =>
    new UnconfirmedVoteStore(path, createKeychain(safe), log, () => now);
  const listKeys = (store: UnconfirmedVoteStore, account = ACCOUNT): string[] =>
    store
      .forAccount(account)
      .listUnconfirmed()
      .votes.map(({ idempotencyKey }) => idempotencyKey);

  it('should restore an unconfirmed vote completely after a restart from an encrypted file', () => {
    // given
    openStore().forAccount(ACCOUNT).startSending(createSentVote('key-of-1'));
    // when
    const accountVotes = openStore().forAccount(ACCOUNT);
    // then
    expect(accountVotes.find('key-of-1')).to.deep.equal(createSentVote('key-of-1'));
    expect(accountVotes.listUnconfirmed().votes[0])
      .to.include({ title: 'Approve the release', decision: 'reject', round: 2, comment: 'No.' })
      .and.not.have.property('signature');
    expect(readFileSync(path, 'utf8')).not.to.contain('release');
  });

  it('should drop confirmed and dismissed votes and keep the others', () => {
    const store = openStore();
    const accountVotes = store.forAccount(ACCOUNT);
    for (const key of ['a', 'b', 'c']) accountVotes.startSending(createSentVote(key));
    expect(listKeys(store), 'votes in flight are not listed').to.deep.equal([]);
    accountVotes.dismiss('a');
    accountVotes.finishSending('a', false);
    accountVotes.finishSending('b', true);
    accountVotes.finishSending('c', false);
    expect(listKeys(openStore())).to.deep.equal(['a', 'c']);
    accountVotes.dismiss('a');
    accountVotes.dismiss('c');
    expect(existsSync(path)).to.equal(false);
  });

  it('should return only the votes of the account, and forget the votes of one server', () => {
    // given
    openStore().forAccount(ACCOUNT).startSending(createSentVote('a'));
    const store = openStore();
    for (const otherAccount of [
      { ...ACCOUNT, subject: 'bea' },
      { ...ACCOUNT, serverId: ACCOUNT.serverId.replace('7', '8') },
    ]) {
      // when
      const accountVotes = store.forAccount(otherAccount);
      accountVotes.dismiss('a');
      accountVotes.finishSending('a', true);
      // then
      expect([accountVotes.find('a'), listKeys(store, otherAccount)]).to.deep.equal([undefined, []]);
    }
    store.forgetServer(ACCOUNT.serverId.replace('7', '8'));
    expect(listKeys(store)).to.deep.equal(['a']);
    store.forgetServer(ACCOUNT.serverId);
    expect(existsSync(path)).to.equal(false);
  });

  it('should report a vote once and not send it after its idempotency key has expired', () => {
    // given
    openStore().forAccount(ACCOUNT).startSending(createSentVote('a'));
    now += DAY - 1;
    const store = openStore();
    const accountVotes = store.forAccount(ACCOUNT);
    expect(listKeys(store)).to.deep.equal(['a']);
    // when: sending the vote again does not reset its age
    accountVotes.startSending(createSentVote('a'));
    accountVotes.finishSending('a', false);
    now += 1;
    // then
    expect(accountVotes.find('a')).to.equal(undefined);
    expect(accountVotes.listUnconfirmed().tooOld.map(({ idempotencyKey }) => idempotencyKey)).to.deep.equal(['a']);
    expect(accountVotes.listUnconfirmed()).to.deep.equal({ votes: [], tooOld: [] });
    expect([existsSync(path), warnings]).to.deep.equal([false, ['votes.too_old']]);
  });

  it('should store at most 100 votes', () => {
    const accountVotes = openStore().forAccount(ACCOUNT);
    for (let n = 0; n <= 100; n += 1) accountVotes.startSending(createSentVote(`key-${n}`));
    expect([accountVotes.find('key-0'), accountVotes.find('key-1')?.idempotencyKey, warnings]).to.deep.equal([
      undefined,
      'key-1',
      ['votes.too_many'],
    ]);
  });

  it('should keep votes only in memory if the keychain is not safe', () => {
    const store = openStore(false);
    store.forAccount(ACCOUNT).startSending(createSentVote('a'));
    store.forAccount(ACCOUNT).finishSending('a', false);
    expect([existsSync(path), listKeys(store), listKeys(openStore(false))]).to.deep.equal([false, ['a'], []]);
  });
});
