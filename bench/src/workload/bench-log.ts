import type { LoggerPort } from '@countersign/core';

/** Prints only errors and warnings, because the output of a benchmark is its tables. */
export const benchLog: LoggerPort = Object.freeze({ debug: ignore, info: ignore, warn: print, error: print });

function ignore(): void {
  // Entries at these levels are not printed.
}

function print(fields: object, message?: string): void {
  process.stderr.write(
    `${message ?? ''} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? value.message : value))}\n`,
  );
}
