import type { JsonObject } from '../json.js';
import { brand, hasBrand } from './brand.js';

/** Keeps the server from starting, or a command from being carried out: for the operator, never for a client. */
export class StartupError extends Error {
  constructor(
    /** Stable, snake_case. Not of the API: plugins have their own. */
    readonly code: string,
    message: string,
    readonly details: JsonObject = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StartupError';
  }
}

brand(StartupError, 'StartupError');

/** Whether this is a {@link StartupError}, of any copy of this package: use this instead of `instanceof`. */
export function isStartupError(value: unknown): value is StartupError {
  return hasBrand(value, 'StartupError');
}
