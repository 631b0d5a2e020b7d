import type { JsonObject } from '../json.js';
import { brand, hasBrand } from './brand.js';

/** Thrown when the server cannot start or a command cannot run. Addressed to the operator, never to a client. */
export class StartupError extends Error {
  constructor(
    /** Stable, snake_case. Not an API code: plugins define their own. */
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

/**
 * Returns whether a value is a {@link StartupError}, from any copy of this package. Use this instead of `instanceof`.
 */
export function isStartupError(value: unknown): value is StartupError {
  return hasBrand(value, 'StartupError');
}
