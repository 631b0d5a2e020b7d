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
  const flipped = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  const keychain = (safe: boolean): Keychain => ({
    isSafe: () => safe,
    encrypt: (text) => flipped(Buffer.from(text)),
    decrypt: (bytes) => flipped(bytes).toString(),
  });
  const sentVote = (idempotencyKey: string, more: Partial<SentVote> = {}): SentVote => ({
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
    ...more,
  });
  let directory: string;
  let path: string;
  let now: number;
  let warned: string[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-votes-'));
    path = join(directory, 'votes');
    now = 1_000;
    warned = [];
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const log: Log = {
    info: () => undefined,
    warn: (event) => void warned.push(event),
    failure: (event) => void warned.push(event),
  };
  const open = (safe = true): UnconfirmedVoteStore => new UnconfirmedVoteStore(path, keychain(safe), log, () => now);
  const keysOf = (journal: UnconfirmedVoteStore, account = ACCOUNT): string[] =>
    journal
      .at(account)
      .unsettled()
      .votes.map(({ idempotencyKey }) => idempotencyKey);

  it('should restore an unconfirmed vote completely after a restart from an encrypted file', () => {
    // given
    open().at(ACCOUNT).begin(sentVote('key-of-1'));
    // when
    const entries = open().at(ACCOUNT);
    // then
    expect(entries.find('key-of-1')).to.deep.equal(sentVote('key-of-1'));
    expect(entries.unsettled().votes[0])
      .to.include({ title: 'Approve the release', decision: 'reject', round: 2, comment: 'No.' })
      .and.not.have.property('signature');
    expect(readFileSync(path, 'utf8')).not.to.contain('release');
  });

  it('should drop confirmed and dismissed votes and keep the others', () => {
    const journal = open();
    const entries = journal.at(ACCOUNT);
    for (const key of ['a', 'b', 'c']) entries.begin(sentVote(key));
    expect(keysOf(journal), 'each is waited for').to.deep.equal([]);
    entries.dismiss('a');
    entries.end('a', false);
    entries.end('b', true);
    entries.end('c', false);
    expect(keysOf(open())).to.deep.equal(['a', 'c']);
    entries.dismiss('a');
    entries.dismiss('c');
    expect(existsSync(path)).to.equal(false);
  });

  it('should return only the votes of the person and server, and forget the votes of one server', () => {
    // given
    open().at(ACCOUNT).begin(sentVote('a'));
    const journal = open();
    for (const other of [
      { ...ACCOUNT, subject: 'bea' },
      { ...ACCOUNT, serverId: ACCOUNT.serverId.replace('7', '8') },
    ]) {
      // when
      const entries = journal.at(other);
      entries.dismiss('a');
      entries.end('a', true);
      // then
      expect([entries.find('a'), keysOf(journal, other)]).to.deep.equal([undefined, []]);
    }
    journal.forgetServer(ACCOUNT.serverId.replace('7', '8'));
    expect(keysOf(journal)).to.deep.equal(['a']);
    journal.forgetServer(ACCOUNT.serverId);
    expect(existsSync(path)).to.equal(false);
  });

  it('should report a vote once and not send it after its idempotency key has expired', () => {
    // given
    open().at(ACCOUNT).begin(sentVote('a'));
    now += DAY - 1;
    const journal = open();
    const entries = journal.at(ACCOUNT);
    expect(keysOf(journal)).to.deep.equal(['a']);
    // when: sending the vote again does not reset its age
    entries.begin(sentVote('a'));
    entries.end('a', false);
    now += 1;
    // then
    expect(entries.find('a')).to.equal(undefined);
    expect(entries.unsettled().tooOld.map(({ idempotencyKey }) => idempotencyKey)).to.deep.equal(['a']);
    expect(entries.unsettled()).to.deep.equal({ votes: [], tooOld: [] });
    expect([existsSync(path), warned]).to.deep.equal([false, ['votes.too_old']]);
  });

  it('should store at most 100 votes', () => {
    const entries = open().at(ACCOUNT);
    for (let n = 0; n <= 100; n += 1) entries.begin(sentVote(`key-${n}`));
    expect([entries.find('key-0'), entries.find('key-1')?.idempotencyKey, warned]).to.deep.equal([
      undefined,
      'key-1',
      ['votes.too_many'],
    ]);
  });

  it('should keep votes only in memory if the keychain is not safe', () => {
    const journal = open(false);
    journal.at(ACCOUNT).begin(sentVote('a'));
    journal.at(ACCOUNT).end('a', false);
    expect([existsSync(path), keysOf(journal), keysOf(open(false))]).to.deep.equal([false, ['a'], []]);
  });
});
