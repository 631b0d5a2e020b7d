import type { ServiceIdentifier } from 'inversify';

/** Where the parts say what an operator should know. pino fits. Never a secret, never a token. */
export interface LoggerPort {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const LoggerPort: ServiceIdentifier<LoggerPort> = Symbol.for('@countersign/core:LoggerPort');
