import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import type { Keychain } from '../session/token-vault.js';

/** A JSON file encrypted with this user's keychain. Without a safe keychain, nothing is read or written. */
export class EncryptedFile<S extends z.ZodType> {
  constructor(
    private readonly path: string,
    private readonly schema: S,
    private readonly keychain: Keychain,
  ) {}

  /** Content that cannot be decrypted or parsed (another machine, keychain or schema) counts as missing. */
  read(): z.output<S> | undefined {
    if (!this.keychain.isSafe()) return undefined;
    try {
      const parsed = this.schema.safeParse(JSON.parse(this.keychain.decrypt(readFileSync(this.path))));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Writes a temporary file first, so that a crash leaves either the old or the new file complete.
   *
   * @returns whether the file was written
   */
  write(value: z.input<S>): boolean {
    if (!this.keychain.isSafe()) return false;
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const temporaryPath = `${this.path}.${process.pid}`;
    writeFileSync(temporaryPath, this.keychain.encrypt(JSON.stringify(value)), { mode: 0o600 });
    renameSync(temporaryPath, this.path);
    return true;
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
