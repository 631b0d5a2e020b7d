import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** A small file of JSON that only this person can read. What does not have the shape counts as not there. */
export class JsonFile<S extends z.ZodType> {
  constructor(
    private readonly file: string,
    private readonly schema: S,
  ) {}

  read(): z.output<S> | undefined {
    try {
      const parsed = this.schema.safeParse(JSON.parse(readFileSync(this.file, 'utf8')));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Beside the old one first, so that a process that dies here leaves one of the two, whole. */
  write(value: z.input<S>): void {
    mkdirSync(dirname(this.file), { recursive: true });
    const fresh = `${this.file}.${process.pid}`;
    writeFileSync(fresh, JSON.stringify(value), { mode: 0o600 });
    renameSync(fresh, this.file);
  }
}
