import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Me } from '@countersign/contract';
import { expect } from 'chai';
import type { Keychain } from '../session/token-vault.js';
import { OfflineCache } from './offline-cache.js';

describe('OfflineCache', () => {
  const createMe = (subject: string): Me => ({
    subject,
    name: null,
    userNames: [],
    kind: 'user',
    role: 'approver',
    roles: ['approver'],
    groups: [],
    may: { startRun: true, deploy: false },
    expiresAt: null,
    engine: { name: 'embedded', unsupported: [] },
  });
  const flipBits = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  const createKeychain = (safe: boolean): Keychain => ({
    isSafe: () => safe,
    encrypt: (text) => flipBits(Buffer.from(text)),
    decrypt: (bytes) => flipBits(bytes).toString(),
  });
  let directory: string;
  let path: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-offline-'));
    path = join(directory, 'offline', 'server');
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const openCache = (safe = true): OfflineCache => new OfflineCache(path, createKeychain(safe), () => 1_000);

  it('should restore the cached responses, their user and their time after a restart from an encrypted file', () => {
    const before = openCache();
    before.assignTo(createMe('ada'));
    before.put('getApproval', { approvalId: 'a' }, { title: 'Approve the release' });
    before.flush();
    const restoredCache = openCache();
    expect(restoredCache.contentInfo).to.deep.include({ asOf: 1_000 }).and.have.nested.property('me.subject', 'ada');
    expect(restoredCache.get('getApproval', { approvalId: 'a' })).to.deep.equal({ title: 'Approve the release' });
    expect(restoredCache.get('getApproval', { approvalId: 'b' })).to.equal(undefined);
    expect(readFileSync(path, 'utf8')).not.to.contain('release');
  });

  it('should restore the cache of a user of an older server, which does not describe its engine', () => {
    const { engine: _none, ...me } = createMe('ada');
    const before = openCache();
    before.assignTo(me as Me);
    before.flush();

    expect(openCache().contentInfo?.me).to.deep.equal(createMe('ada'));
  });

  it('should drop the cache when another person signs in or the user signs out', () => {
    const cache = openCache();
    cache.assignTo(createMe('ada'));
    cache.put('listTools', {}, 1);
    cache.flush();
    cache.assignTo(createMe('bea'));
    expect(cache.get('listTools', {})).to.equal(undefined);
    cache.clear();
    expect([cache.contentInfo, existsSync(path)]).to.deep.equal([undefined, false]);
  });

  it('should write no file if the keychain is not safe', () => {
    const cache = openCache(false);
    cache.assignTo(createMe('ada'));
    cache.put('listTools', {}, 1);
    cache.flush();
    expect(existsSync(path)).to.equal(false);
  });

  it('should drop the oldest entries when the number or the size of the entries exceeds its limit', () => {
    const cache = openCache();
    cache.assignTo(createMe('ada'));
    for (let n = 0; n <= 500; n += 1) cache.put('getApproval', { n }, n);
    expect([cache.get('getApproval', { n: 0 }), cache.get('getApproval', { n: 1 })]).to.deep.equal([undefined, 1]);
    for (let n = 0; n < 3; n += 1) cache.put('getWorkflow', { n }, 'x'.repeat(9_000_000));
    expect([cache.get('getWorkflow', { n: 0 }), typeof cache.get('getWorkflow', { n: 2 })]).to.deep.equal([
      undefined,
      'string',
    ]);
    cache.clear();
  });
});
