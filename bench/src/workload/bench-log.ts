import type { LoggerPort } from '@countersign/core';

/** Only errors and warnings: the output of a benchmark is its tables. */
export const benchLog: LoggerPort = Object.freeze({ debug: ignore, info: ignore, warn: print, error: print });

function ignore(): void {
  // There is no listener.
}

function print(fields: object, message?: string): void {
  process.stderr.write(
    `${message ?? ''} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? value.message : value))}\n`,
  );
}
