import { z } from 'zod';
import { JsonFile } from '../app/json-file.js';
import type { Keychain } from '../session/token-vault.js';
import { SigningPair } from './signing-pair.js';

/** Owner of a key: a user at a server that was added on this device. */
export interface KeyAccount {
  readonly profileId: string;
  readonly subject: string;
}

const noteSchema = z.object({
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

const fileSchema = z.object({ keys: z.array(noteSchema).max(500) });

/** Public data of a key that was created here. */
export type KeyNote = Readonly<Omit<z.infer<typeof noteSchema>, 'sealed' | keyof KeyAccount>>;

/**
 * The signing keys of this device, one for each server and user. The private key is written only if the operating
 * system has a keychain, and encrypted by it. Otherwise it is in memory, and a note on disk identifies the key after it
 * is lost.
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

  /** Whether stored keys outlive the application. */
  get keeps(): boolean {
    return this.keychain.isSafe();
  }

  note(account: KeyAccount): KeyNote | undefined {
    return this.notes().find(of(account));
  }

  /** @returns `undefined` if the private key is missing, cannot be decrypted, or does not match the note */
  pair(account: KeyAccount): SigningPair | undefined {
    const note = this.notes().find(of(account));
    if (note === undefined) return undefined;
    const held = this.pairs.get(note.keyId);
    if (held !== undefined || note.sealed === null || !this.keeps) return held;
    const opened = this.open(note.sealed);
    if (opened?.keyId !== note.keyId) return undefined;
    this.pairs.set(note.keyId, opened);
    return opened;
  }

  /** Replaces the previous key, which is deleted. */
  put(account: KeyAccount, pair: SigningPair, facts: Omit<KeyNote, 'keyId'>): void {
    this.forget(account);
    this.pairs.set(pair.keyId, pair);
    const sealed = this.keeps ? this.keychain.encrypt(pair.secret()).toString('base64') : null;
    this.write([...this.notes(), { ...account, ...facts, keyId: pair.keyId, sealed }]);
  }

  change(account: KeyAccount, facts: Partial<Pick<KeyNote, 'registered' | 'signsEvery'>>): void {
    const mine = of(account);
    this.write(this.notes().map((note) => (mine(note) ? { ...note, ...facts } : note)));
  }

  forget(account: KeyAccount): void {
    this.forgetAll(of(account));
  }

  /** Deletes the keys of a server when it is removed. */
  forgetServer(profileId: string): void {
    this.forgetAll((note) => note.profileId === profileId);
  }

  private forgetAll(which: (note: z.infer<typeof noteSchema>) => boolean): void {
    const notes = this.notes();
    const gone = notes.filter(which);
    if (gone.length === 0) return;
    for (const { keyId } of gone) this.pairs.delete(keyId);
    this.write(notes.filter((note) => !which(note)));
  }

  private open(sealed: string): SigningPair | undefined {
    try {
      return SigningPair.fromSecret(this.keychain.decrypt(Buffer.from(sealed, 'base64')));
    } catch {
      return undefined;
    }
  }

  private notes(): z.infer<typeof noteSchema>[] {
    return this.file.read()?.keys ?? [];
  }

  private write(keys: z.infer<typeof noteSchema>[]): void {
    this.file.write({ keys });
  }
}

function of({ profileId, subject }: KeyAccount): (note: KeyAccount) => boolean {
  return (note) => note.profileId === profileId && note.subject === subject;
}
