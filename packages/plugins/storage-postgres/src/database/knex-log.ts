import type { Knex } from 'knex';
import type { LoggerPort } from '@countersign/core/plugin';

/** Where knex says what it has to say: to the log, or to nobody; by itself it writes to the console. */
export function knexLog(log?: Pick<LoggerPort, 'warn'>): Knex.Logger {
  const warn = (message: unknown): void => log?.warn({ detail: String(message) }, 'knex has a remark');
  return { warn, error: warn, deprecate: warn, debug: () => undefined };
}
