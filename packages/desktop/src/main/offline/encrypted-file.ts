import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import type { Keychain } from '../session/token-vault.js';

/** A file of JSON that the keychain of this person alone opens. Where there is no safe one, nothing is written. */
export class EncryptedFile<S extends z.ZodType> {
  constructor(
    private readonly path: string,
    private readonly schema: S,
    private readonly keychain: Keychain,
  ) {}

  /** What can't be opened (another machine, another keychain, another shape) is as if it were not there. */
  read(): z.output<S> | undefined {
    if (!this.keychain.isSafe()) return undefined;
    try {
      const parsed = this.schema.safeParse(JSON.parse(this.keychain.decrypt(readFileSync(this.path))));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Beside the old one first, so that a process that dies here leaves one of the two, whole. @returns whether it is on the disk */
  write(value: z.input<S>): boolean {
    if (!this.keychain.isSafe()) return false;
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const fresh = `${this.path}.${process.pid}`;
    writeFileSync(fresh, this.keychain.encrypt(JSON.stringify(value)), { mode: 0o600 });
    renameSync(fresh, this.path);
    return true;
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
