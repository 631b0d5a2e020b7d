import type { ServiceIdentifier } from 'inversify';

/** Logs what an operator should know, never a secret or a token. pino implements it. */
export interface LoggerPort {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const LoggerPort: ServiceIdentifier<LoggerPort> = Symbol.for('@countersign/core:LoggerPort');
