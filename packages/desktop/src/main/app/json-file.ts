import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** A small JSON file that only this user can read. Content that does not match the schema counts as missing. */
export class JsonFile<S extends z.ZodType> {
  constructor(
    private readonly path: string,
    private readonly schema: S,
  ) {}

  read(): z.output<S> | undefined {
    try {
      const parsed = this.schema.safeParse(JSON.parse(readFileSync(this.path, 'utf8')));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes a temporary file first, so that a crash leaves either the old or the new file complete. */
  write(value: z.input<S>): void {
    mkdirSync(dirname(this.path), { recursive: true });
    const temporaryPath = `${this.path}.${process.pid}`;
    writeFileSync(temporaryPath, JSON.stringify(value), { mode: 0o600 });
    renameSync(temporaryPath, this.path);
  }
}
