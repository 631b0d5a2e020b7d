import type { JsonObject } from '../domain/json.js';

/** An error with a stable code that crosses borders: the server makes a problem document of it. No HTTP in here. */
export class CountersignError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly details: JsonObject = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'CountersignError';
  }
}
