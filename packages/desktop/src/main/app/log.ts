import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

type LogFields = Readonly<Record<string, string | number | boolean>>;

/** Log for support: codes and names, never a token, comment, subject or key. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  failure(event: string, error: unknown, fields?: LogFields): void;
}

const MAX_BYTES = 1_000_000;

/**
 * Creates a log that writes JSON lines to a file and keeps one older file. If the file cannot be written, the line goes
 * to standard error.
 */
export function createFileLog(file: string): Log {
  const write = (level: string, event: string, fields: LogFields): void => {
    const line = `${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`;
    try {
      mkdirSync(dirname(file), { recursive: true });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.1`);
      appendFileSync(file, line, { mode: 0o600 });
    } catch {
      process.stderr.write(line);
    }
  };
  return {
    info: (event, fields = {}) => write('info', event, fields),
    warn: (event, fields = {}) => write('warn', event, fields),
    failure: (event, error, fields = {}) =>
      write('error', event, { ...fields, error: redactSecrets(describeError(error)) }),
  };
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const cause = error.cause instanceof Error ? ` (${error.cause.name}: ${error.cause.message})` : '';
  return `${error.name}: ${error.message}${cause}`;
}

/**
 * Redacts everything in a text that looks like a token or an authorization code, and the queries and fragments of URLs.
 * Truncates a long text.
 */
export function redactSecrets(text: string): string {
  return text
    .replace(/\beyJ[\w-]*(\.[\w-]*){0,4}/g, '…')
    .replace(/\bBearer\s+\S+/gi, 'Bearer …')
    .replace(/(\w+:\/\/[^\s?#]*)[?#]\S*/g, '$1?…')
    .replace(/[\w-]{40,}/g, '…')
    .slice(0, 1_000);
}
