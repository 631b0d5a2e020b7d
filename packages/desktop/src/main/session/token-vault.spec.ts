import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TokenVault, type TokenSet, type Keychain } from './token-vault.js';

const SERVER = '01938f5a-7c1e-4b62-9d53-0c9a4f1b2e77';
const TOKEN_SET: TokenSet = {
  kind: 'oidc',
  accessToken: 'the-token',
  refreshToken: 'the-refresh',
  receivedAt: 1,
  expiresAt: null,
};

describe('TokenVault', () => {
  let directory: string;
  let file: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-vault-'));
    file = join(directory, 'sessions.json');
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const createKeychain = (key: number, safe = true): Keychain => ({
    isSafe: () => safe,
    encrypt: (text) => Buffer.from([key, ...Buffer.from(text).map((byte) => byte ^ key)]),
    decrypt: (bytes) => {
      if (bytes[0] !== key) throw new Error('The bytes were encrypted with another key.');
      return Buffer.from(bytes.subarray(1).map((byte) => byte ^ key)).toString();
    },
  });

  it('should restore a token set after a restart from an encrypted file that only this user can read', () => {
    new TokenVault(file, createKeychain(7)).put(SERVER, TOKEN_SET);
    expect(new TokenVault(file, createKeychain(7)).get(SERVER)).to.deep.equal(TOKEN_SET);
    expect(readFileSync(file, 'utf8')).not.to.contain('the-');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).to.equal(0);
  });

  it('should keep a token set only in memory if the keychain is not safe', () => {
    const vault = new TokenVault(file, createKeychain(7, false));
    vault.put(SERVER, TOKEN_SET);
    expect(vault.get(SERVER)).to.deep.equal(TOKEN_SET);
    expect(() => readFileSync(file)).to.throw();
    expect(new TokenVault(file, createKeychain(7, false)).get(SERVER)).to.equal(undefined);
  });

  it('should not return a token set that was forgotten or was encrypted by another keychain', () => {
    const vault = new TokenVault(file, createKeychain(7));
    vault.put(SERVER, TOKEN_SET);
    expect(new TokenVault(file, createKeychain(9)).get(SERVER)).to.equal(undefined);
    vault.forget(SERVER);
    expect(vault.get(SERVER)).to.equal(undefined);
    expect(new TokenVault(file, createKeychain(7)).get(SERVER)).to.equal(undefined);
  });
});
