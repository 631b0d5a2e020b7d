import { z } from 'zod';
import { JsonFile } from '../app/json-file.js';

export const grantSchema = z.object({
  kind: z.enum(['development', 'oidc']),
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  /** When the access token was received, in ms since the epoch; 0: by a version that did not note it. */
  receivedAt: z.number().default(0),
  /** In ms since the epoch; `null`: the token does not say. */
  expiresAt: z.number().nullable(),
});

/** What somebody was given at their sign-in. */
export type Grant = z.infer<typeof grantSchema>;

/** What the operating system encrypts by; `safeStorage` of Electron. */
export interface Keychain {
  /** Whether there is one that keeps its key apart from the files of this person. */
  isSafe(): boolean;
  encrypt(text: string): Buffer;
  decrypt(bytes: Buffer): string;
}

const fileSchema = z.record(z.uuid(), z.string());

/**
 * Keeps the grants by server: encrypted in a file where the operating system has a keychain, and else in memory only, so that
 * one signs in again at the next start. Never in plain text.
 */
export class TokenVault {
  private readonly memory = new Map<string, Grant>();
  private readonly file: JsonFile<typeof fileSchema>;

  constructor(
    path: string,
    private readonly keychain: Keychain,
  ) {
    this.file = new JsonFile(path, fileSchema);
  }

  /** Whether what is put here outlives the application. */
  get keeps(): boolean {
    return this.keychain.isSafe();
  }

  get(serverId: string): Grant | undefined {
    const held = this.memory.get(serverId);
    if (held !== undefined || !this.keeps) return held;
    const kept = this.file.read()?.[serverId];
    const grant = kept === undefined ? undefined : this.open(kept);
    if (grant !== undefined) this.memory.set(serverId, grant);
    return grant;
  }

  put(serverId: string, grant: Grant): void {
    this.memory.set(serverId, grant);
    if (!this.keeps) return;
    this.file.write({
      ...this.file.read(),
      [serverId]: this.keychain.encrypt(JSON.stringify(grant)).toString('base64'),
    });
  }

  forget(serverId: string): void {
    this.memory.delete(serverId);
    const { [serverId]: kept, ...others } = this.file.read() ?? {};
    if (kept !== undefined) this.file.write(others);
  }

  /** What can't be opened (another machine, another keychain) is as if it were not there. */
  private open(kept: string): Grant | undefined {
    try {
      const parsed = grantSchema.safeParse(JSON.parse(this.keychain.decrypt(Buffer.from(kept, 'base64'))));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }
}
