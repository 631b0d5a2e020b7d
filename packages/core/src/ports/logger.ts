import type { ServiceIdentifier } from 'inversify';

/** Logs information for operators. Never pass it a secret or a token. Implemented by pino. */
export interface LoggerPort {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const LoggerPort: ServiceIdentifier<LoggerPort> = Symbol.for('@countersign/core:LoggerPort');
