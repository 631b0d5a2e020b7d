import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { draftSchema, type Draft } from '../../common/drafts.js';
import type { Keychain } from '../session/token-vault.js';
import { Drafts, draftsByServer } from './drafts.js';

const DAY = 24 * 60 * 60_000;

describe('Drafts', () => {
  const flipped = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  const keychain = (safe: boolean): Keychain => ({
    isSafe: () => safe,
    encrypt: (text) => flipped(Buffer.from(text)),
    decrypt: (bytes) => flipped(bytes).toString(),
  });
  const idOf = (n: number): string => `01938f5a-7c1e-7b62-9d53-${String(n).padStart(12, '0')}`;
  const draft = (n = 1, comment = 'Not before Monday.'): Draft => ({
    approvalId: idOf(n),
    round: 1,
    subjectDigest: `sha256:${'0'.repeat(64)}`,
    form: { act: 'reject', comment, argumentsText: '' },
  });
  const failures: string[] = [];
  let directory: string;
  let path: string;
  let now: number;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-drafts-'));
    path = join(directory, 'drafts', 'server');
    now = 1_000;
    failures.length = 0;
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const open = (safe = true, at = path): Drafts =>
    new Drafts(at, keychain(safe), { failure: (event) => void failures.push(event) }, () => now);

  it('should restore the latest draft of each person and approval after a restart from an encrypted file', () => {
    // given
    const before = open();
    before.put('ada', draft(1, 'N'));
    before.put('ada', draft());
    before.put('bea', draft(2, 'Hers.'));
    before.flush();
    // then
    const after = open();
    expect(after.of('ada')).to.deep.equal([draft()]);
    expect(after.of('bea')).to.deep.equal([draft(2, 'Hers.')]);
    expect(after.of('cem')).to.deep.equal([]);
    expect(readFileSync(path, 'utf8')).not.to.contain('Monday');
  });

  it('should write several changes to the file together after a short delay', async () => {
    const drafts = open();
    drafts.put('ada', draft(1, 'N'));
    drafts.put('ada', draft());
    expect(existsSync(path)).to.equal(false);
    while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
    expect(open().of('ada')).to.deep.equal([draft()]);
  });

  it('should drop the draft of one person only and delete the file with the last draft', () => {
    const drafts = open();
    drafts.put('ada', draft());
    drafts.put('bea', draft());
    drafts.drop('ada', draft());
    drafts.flush();
    expect([open().of('ada'), open().of('bea')]).to.deep.equal([[], [draft()]]);
    drafts.drop('bea', draft());
    drafts.flush();
    expect(existsSync(path)).to.equal(false);
  });

  it('should delete the drafts of every person on forget(), also drafts that are not written yet', () => {
    const drafts = open();
    drafts.put('ada', draft());
    drafts.flush();
    drafts.put('bea', draft());
    drafts.forget();
    drafts.flush();
    expect([existsSync(path), drafts.of('ada'), drafts.of('bea')]).to.deep.equal([false, [], []]);
  });

  it('should store at most 100 drafts and drop drafts that are unchanged for months', () => {
    const drafts = open();
    for (let n = 0; n < 101; n += 1) drafts.put('ada', draft(n));
    expect(drafts.of('ada').map(({ approvalId }) => approvalId)).to.deep.equal(
      Array.from({ length: 100 }, (_, n) => idOf(n + 1)),
    );
    now += 50 * DAY;
    drafts.put('ada', draft(1));
    drafts.flush();
    now += 50 * DAY;
    expect(open().of('ada')).to.deep.equal([draft(1)]);
  });

  it('should keep drafts only in memory if the keychain is not safe', () => {
    const of = draftsByServer(() => open(false));
    const server = { serverId: idOf(9), url: 'https://countersign.example.com', name: 'One' };
    of(server).put('ada', draft());
    of(server).flush();
    expect([existsSync(path), of(server).of('ada')]).to.deep.equal([false, [draft()]]);
    expect(of({ ...server, serverId: idOf(8) }).of('ada')).to.deep.equal([]);
  });

  it('should keep a draft in memory and log the failure if the file cannot be written', () => {
    const drafts = open(true, join(process.execPath, 'server'));
    drafts.put('ada', draft());
    drafts.flush();
    expect([failures, drafts.of('ada')]).to.deep.equal([['drafts.not_written'], [draft()]]);
  });

  it('should refuse a draft with unknown properties, invalid values or more than 64 Ki characters', () => {
    const { form } = draft();
    expect(
      draftSchema.safeParse({
        ...draft(),
        form: { ...form, comment: 'x'.repeat(10_000), argumentsText: 'x'.repeat(55_536) },
      }).success,
    ).to.equal(true);
    for (const wrong of [
      { ...form, comment: 'x'.repeat(10_001) },
      { ...form, argumentsText: 'x'.repeat(55_537) },
      { ...form, file: '/etc/passwd' },
      { ...form, act: 'delegate' },
    ])
      expect(draftSchema.safeParse({ ...draft(), form: wrong }).success).to.equal(false);
    for (const more of [{ subject: 'bea' }, { serverId: idOf(1) }, { approvalId: '../x' }, { subjectDigest: 'x' }])
      expect(draftSchema.safeParse({ ...draft(), ...more }).success).to.equal(false);
  });
});
