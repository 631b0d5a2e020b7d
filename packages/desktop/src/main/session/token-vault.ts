import { z } from 'zod';
import { JsonFile } from '../app/json-file.js';

export const tokenSetSchema = z.object({
  kind: z.enum(['development', 'oidc']),
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  /** Time at which the access token was received, in ms since the epoch; 0 if an older version did not record it. */
  receivedAt: z.number().default(0),
  /** In ms since the epoch; `null`: the token states no expiry. */
  expiresAt: z.number().nullable(),
});

/** Tokens that a user received at sign-in. */
export type TokenSet = z.infer<typeof tokenSetSchema>;

/** Encryption by the keychain of the operating system, provided by `safeStorage` of Electron. */
export interface Keychain {
  /** Returns whether there is a keychain that stores its key apart from the user's files. */
  isSafe(): boolean;
  encrypt(text: string): Buffer;
  decrypt(bytes: Buffer): string;
}

const fileSchema = z.record(z.uuid(), z.string());

/**
 * Stores the token sets by server: encrypted in a file if the operating system has a keychain, otherwise only in
 * memory, so that the next start requires a new sign-in. Never in plain text.
 */
export class TokenVault {
  private readonly memory = new Map<string, TokenSet>();
  private readonly file: JsonFile<typeof fileSchema>;

  constructor(
    path: string,
    private readonly keychain: Keychain,
  ) {
    this.file = new JsonFile(path, fileSchema);
  }

  /** Whether stored token sets are kept after the application exits. */
  get isPersistent(): boolean {
    return this.keychain.isSafe();
  }

  get(serverId: string): TokenSet | undefined {
    const cached = this.memory.get(serverId);
    if (cached !== undefined || !this.isPersistent) return cached;
    const encrypted = this.file.read()?.[serverId];
    const tokenSet = encrypted === undefined ? undefined : this.decryptTokenSet(encrypted);
    if (tokenSet !== undefined) this.memory.set(serverId, tokenSet);
    return tokenSet;
  }

  put(serverId: string, tokenSet: TokenSet): void {
    this.memory.set(serverId, tokenSet);
    if (!this.isPersistent) return;
    this.file.write({
      ...this.file.read(),
      [serverId]: this.keychain.encrypt(JSON.stringify(tokenSet)).toString('base64'),
    });
  }

  forget(serverId: string): void {
    this.memory.delete(serverId);
    const { [serverId]: removedGrant, ...others } = this.file.read() ?? {};
    if (removedGrant !== undefined) this.file.write(others);
  }

  /** A token set that cannot be decrypted (another machine, another keychain) counts as missing. */
  private decryptTokenSet(encrypted: string): TokenSet | undefined {
    try {
      const parsed = tokenSetSchema.safeParse(JSON.parse(this.keychain.decrypt(Buffer.from(encrypted, 'base64'))));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }
}
