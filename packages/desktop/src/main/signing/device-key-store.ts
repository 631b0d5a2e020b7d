import { z } from 'zod';
import { JsonFile } from '../app/json-file.js';
import type { Keychain } from '../session/token-vault.js';
import { SigningPair } from './signing-pair.js';

/** Owner of a key: a user at a server that was added on this device. */
export interface KeyAccount {
  readonly profileId: string;
  readonly subject: string;
}

const keyRecordSchema = z.object({
  profileId: z.uuid(),
  subject: z.string().min(1),
  keyId: z.string(),
  /** `serverId` of `GET /api/signing`: identifies the server whatever its address. */
  server: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Whether the server has confirmed the key. */
  registered: z.boolean(),
  signsEvery: z.boolean(),
  /** The private key, encrypted by the keychain; `null`: it was never written. */
  sealed: z.string().nullable(),
});

const fileSchema = z.object({ keys: z.array(keyRecordSchema).max(500) });

/** Public data of a key that was created here. */
export type KeyRecord = Readonly<Omit<z.infer<typeof keyRecordSchema>, 'sealed' | keyof KeyAccount>>;

/**
 * The signing keys of this device, one for each server and user. The private key is written only if the operating
 * system has a keychain, and encrypted by it. Otherwise the private key is only in memory, and a record on disk
 * identifies the key after it is lost.
 */
export class DeviceKeyStore {
  private readonly file: JsonFile<typeof fileSchema>;
  /** Key pairs by key id. */
  private readonly pairs = new Map<string, SigningPair>();

  constructor(
    path: string,
    private readonly keychain: Keychain,
  ) {
    this.file = new JsonFile(path, fileSchema);
  }

  /** Whether stored keys are kept after the application exits. */
  get isPersistent(): boolean {
    return this.keychain.isSafe();
  }

  findRecord(account: KeyAccount): KeyRecord | undefined {
    return this.readRecords().find(matchesAccount(account));
  }

  /** @returns `undefined` if the private key is missing, cannot be decrypted, or does not match the record */
  getPair(account: KeyAccount): SigningPair | undefined {
    const keyRecord = this.readRecords().find(matchesAccount(account));
    if (keyRecord === undefined) return undefined;
    const cached = this.pairs.get(keyRecord.keyId);
    if (cached !== undefined || keyRecord.sealed === null || !this.isPersistent) return cached;
    const decrypted = this.decryptPair(keyRecord.sealed);
    if (decrypted?.keyId !== keyRecord.keyId) return undefined;
    this.pairs.set(keyRecord.keyId, decrypted);
    return decrypted;
  }

  /** Stores a key and deletes the previous key of the account. */
  put(account: KeyAccount, pair: SigningPair, fields: Omit<KeyRecord, 'keyId'>): void {
    this.forget(account);
    this.pairs.set(pair.keyId, pair);
    const sealed = this.isPersistent ? this.keychain.encrypt(pair.secret()).toString('base64') : null;
    this.write([...this.readRecords(), { ...account, ...fields, keyId: pair.keyId, sealed }]);
  }

  update(account: KeyAccount, fields: Partial<Pick<KeyRecord, 'registered' | 'signsEvery'>>): void {
    const isMatch = matchesAccount(account);
    this.write(this.readRecords().map((record) => (isMatch(record) ? { ...record, ...fields } : record)));
  }

  forget(account: KeyAccount): void {
    this.forgetAll(matchesAccount(account));
  }

  /** Deletes the keys of a server when it is removed. */
  forgetServer(profileId: string): void {
    this.forgetAll((record) => record.profileId === profileId);
  }

  private forgetAll(predicate: (record: z.infer<typeof keyRecordSchema>) => boolean): void {
    const records = this.readRecords();
    const removed = records.filter(predicate);
    if (removed.length === 0) return;
    for (const { keyId } of removed) this.pairs.delete(keyId);
    this.write(records.filter((record) => !predicate(record)));
  }

  private decryptPair(sealed: string): SigningPair | undefined {
    try {
      return SigningPair.fromSecret(this.keychain.decrypt(Buffer.from(sealed, 'base64')));
    } catch {
      return undefined;
    }
  }

  private readRecords(): z.infer<typeof keyRecordSchema>[] {
    return this.file.read()?.keys ?? [];
  }

  private write(keys: z.infer<typeof keyRecordSchema>[]): void {
    this.file.write({ keys });
  }
}

function matchesAccount({ profileId, subject }: KeyAccount): (record: KeyAccount) => boolean {
  return (record) => record.profileId === profileId && record.subject === subject;
}
