import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

type Facts = Readonly<Record<string, string | number | boolean>>;

/** Log for support: codes and names, never a token, comment, subject or key. */
export interface Log {
  info(event: string, facts?: Facts): void;
  warn(event: string, facts?: Facts): void;
  failure(event: string, error: unknown, facts?: Facts): void;
}

const MAX_BYTES = 1_000_000;

/** Writes JSON lines to a file and keeps one older file. A failure to write is ignored. */
export function createFileLog(file: string): Log {
  const write = (level: string, event: string, facts: Facts): void => {
    const line = `${JSON.stringify({ at: new Date().toISOString(), level, event, ...facts })}\n`;
    try {
      mkdirSync(dirname(file), { recursive: true });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.1`);
      appendFileSync(file, line, { mode: 0o600 });
    } catch {
      process.stderr.write(line);
    }
  };
  return {
    info: (event, facts = {}) => write('info', event, facts),
    warn: (event, facts = {}) => write('warn', event, facts),
    failure: (event, error, facts = {}) => write('error', event, { ...facts, error: redactSecrets(describe(error)) }),
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const cause = error.cause instanceof Error ? ` (${error.cause.name}: ${error.cause.message})` : '';
  return `${error.name}: ${error.message}${cause}`;
}

/** Removes everything that looks like a token or authorization code, and the queries of URLs, from a text. */
export function redactSecrets(text: string): string {
  return text
    .replace(/\beyJ[\w-]*(\.[\w-]*){0,4}/g, '…')
    .replace(/\bBearer\s+\S+/gi, 'Bearer …')
    .replace(/(\w+:\/\/[^\s?#]*)[?#]\S*/g, '$1?…')
    .replace(/[\w-]{40,}/g, '…')
    .slice(0, 1_000);
}
