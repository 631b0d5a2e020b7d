import type { Knex } from 'knex';
import type { LoggerPort } from '@countersign/core/plugin';

/**
 * Returns a logger for knex that writes warnings to the log, or discards them if there is no log. By default, knex
 * writes to the console.
 */
export function createKnexLogger(log?: Pick<LoggerPort, 'warn'>): Knex.Logger {
  const warn = (message: unknown): void => log?.warn({ detail: String(message) }, 'received a warning from knex');
  return { warn, error: warn, deprecate: warn, debug: () => undefined };
}
