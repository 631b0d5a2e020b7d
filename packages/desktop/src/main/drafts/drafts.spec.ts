import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { draftSchema, type Draft } from '../../common/drafts.js';
import type { Keychain } from '../session/token-vault.js';
import { Drafts, createDraftsByServer } from './drafts.js';

const DAY = 24 * 60 * 60_000;

describe('Drafts', () => {
  const flipBits = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  const createKeychain = (safe: boolean): Keychain => ({
    isSafe: () => safe,
    encrypt: (text) => flipBits(Buffer.from(text)),
    decrypt: (bytes) => flipBits(bytes).toString(),
  });
  const createId = (n: number): string => `01938f5a-7c1e-7b62-9d53-${String(n).padStart(12, '0')}`;
  const createDraft = (n = 1, comment = 'Not before Monday.'): Draft => ({
    approvalId: createId(n),
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

  const openDrafts = (safe = true, filePath = path): Drafts =>
    new Drafts(filePath, createKeychain(safe), { failure: (event) => void failures.push(event) }, () => now);

  it('should restore the latest draft of each person and approval after a restart from an encrypted file', () => {
    // given
    const before = openDrafts();
    before.put('ada', createDraft(1, 'N'));
    before.put('ada', createDraft());
    before.put('bea', createDraft(2, 'A comment by Bea.'));
    before.flush();
    // then
    const restoredDrafts = openDrafts();
    expect(restoredDrafts.list('ada')).to.deep.equal([createDraft()]);
    expect(restoredDrafts.list('bea')).to.deep.equal([createDraft(2, 'A comment by Bea.')]);
    expect(restoredDrafts.list('cem')).to.deep.equal([]);
    expect(readFileSync(path, 'utf8')).not.to.contain('Monday');
  });

  it('should write several changes to the file together after a short delay', async () => {
    const drafts = openDrafts();
    drafts.put('ada', createDraft(1, 'N'));
    drafts.put('ada', createDraft());
    expect(existsSync(path)).to.equal(false);
    while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
    expect(openDrafts().list('ada')).to.deep.equal([createDraft()]);
  });

  it('should drop the draft of one person only and delete the file with the last draft', () => {
    const drafts = openDrafts();
    drafts.put('ada', createDraft());
    drafts.put('bea', createDraft());
    drafts.drop('ada', createDraft());
    drafts.flush();
    expect([openDrafts().list('ada'), openDrafts().list('bea')]).to.deep.equal([[], [createDraft()]]);
    drafts.drop('bea', createDraft());
    drafts.flush();
    expect(existsSync(path)).to.equal(false);
  });

  it('should delete the drafts of every person on clear(), including drafts that are not written yet', () => {
    const drafts = openDrafts();
    drafts.put('ada', createDraft());
    drafts.flush();
    drafts.put('bea', createDraft());
    drafts.clear();
    drafts.flush();
    expect([existsSync(path), drafts.list('ada'), drafts.list('bea')]).to.deep.equal([false, [], []]);
  });

  it('should store at most 100 drafts and drop drafts that have not changed for 90 days', () => {
    const drafts = openDrafts();
    for (let n = 0; n < 101; n += 1) drafts.put('ada', createDraft(n));
    expect(drafts.list('ada').map(({ approvalId }) => approvalId)).to.deep.equal(
      Array.from({ length: 100 }, (_, n) => createId(n + 1)),
    );
    now += 50 * DAY;
    drafts.put('ada', createDraft(1));
    drafts.flush();
    now += 50 * DAY;
    expect(openDrafts().list('ada')).to.deep.equal([createDraft(1)]);
  });

  it('should keep drafts only in memory if the keychain is not safe', () => {
    const getDrafts = createDraftsByServer(() => openDrafts(false));
    const server = { serverId: createId(9), url: 'https://countersign.example.com', name: 'One' };
    getDrafts(server).put('ada', createDraft());
    getDrafts(server).flush();
    expect([existsSync(path), getDrafts(server).list('ada')]).to.deep.equal([false, [createDraft()]]);
    expect(getDrafts({ ...server, serverId: createId(8) }).list('ada')).to.deep.equal([]);
  });

  it('should keep a draft in memory and log the failure if the file cannot be written', () => {
    const drafts = openDrafts(true, join(process.execPath, 'server'));
    drafts.put('ada', createDraft());
    drafts.flush();
    expect([failures, drafts.list('ada')]).to.deep.equal([['drafts.not_written'], [createDraft()]]);
  });

  it('should refuse a draft with unknown properties, invalid values or more than 64 Ki characters', () => {
    const { form } = createDraft();
    expect(
      draftSchema.safeParse({
        ...createDraft(),
        form: { ...form, comment: 'x'.repeat(10_000), argumentsText: 'x'.repeat(55_536) },
      }).success,
    ).to.equal(true);
    for (const invalidForm of [
      { ...form, comment: 'x'.repeat(10_001) },
      { ...form, argumentsText: 'x'.repeat(55_537) },
      { ...form, file: '/etc/passwd' },
      { ...form, act: 'delegate' },
    ])
      expect(draftSchema.safeParse({ ...createDraft(), form: invalidForm }).success).to.equal(false);
    for (const extraFields of [
      { subject: 'bea' },
      { serverId: createId(1) },
      { approvalId: '../x' },
      { subjectDigest: 'x' },
    ])
      expect(draftSchema.safeParse({ ...createDraft(), ...extraFields }).success).to.equal(false);
  });
});
