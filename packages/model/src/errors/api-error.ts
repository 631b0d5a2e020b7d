import { type ErrorCode, isErrorCode } from '../error-codes.js';
import type { JsonObject } from '../json.js';
import { type ApiErrorCode, isPluginErrorCode, type PluginErrorCode } from '../plugin-error-code.js';
import { brand, hasBrand } from './brand.js';

/**
 * The original name of the class. It must not change, so that plugins with an older copy of this package are
 * recognized.
 */
const BRAND = 'CountersignError';

/**
 * Thrown to report an error to the client: the server responds with a problem document that has its code (RFC 9457).
 */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  /** A plugin's definition of its own code; `undefined` for a code of {@link ERROR_CODES}. */
  readonly definition: PluginErrorCode | undefined;

  /** @param details additional members of the problem document, for example `resolvedBy` */
  constructor(
    code: ErrorCode | PluginErrorCode,
    message: string,
    readonly details: JsonObject = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.code = typeof code === 'string' ? code : code.code;
    this.definition = typeof code === 'string' ? undefined : code;
  }
}

brand(ApiError, BRAND);

/**
 * Returns whether a value is an {@link ApiError} with a known code, from any copy of this package. Use this instead of
 * `instanceof`. An older copy can throw a code that was never part of the API. Such an error must not reach a client.
 */
export function isApiError(value: unknown): value is ApiError {
  if (!hasBrand(value, BRAND)) return false;
  const { code, definition } = value as Partial<ApiError>;
  return isErrorCode(code) || (isPluginErrorCode(definition) && definition.code === code);
}
