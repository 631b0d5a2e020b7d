import type { ErrorCode } from './error-codes.js';

/**
 * The HTTP statuses that a plugin can choose. Statuses that need their own headers, such as 401, are reserved for the
 * server.
 */
const STATUSES = Object.freeze([400, 402, 403, 404, 409, 410, 413, 422, 423, 424, 429, 500, 502, 503, 504] as const);

const CODE = /^[a-z][a-z0-9-]*\/[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const MAX_CODE_LENGTH = 100;

/** An error code that a plugin defines, with its HTTP meaning. */
export interface PluginErrorCode {
  /** Starts with the id of the plugin as its namespace, for example `acme/quota_exceeded`. */
  readonly code: `${string}/${string}`;
  readonly status: (typeof STATUSES)[number];
  /** The same for every error with this code (RFC 9457, 3.1.3). */
  readonly title: string;
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
}

/** Any code that a problem document can have. */
export type ApiErrorCode = ErrorCode | PluginErrorCode['code'];

/**
 * Defines an error code of a plugin, to be thrown with `new ApiError(QUOTA_EXCEEDED, '…')`.
 *
 * @param code the id of the plugin, a slash and a name in snake_case
 * @throws {TypeError} if the code or its status is not allowed
 */
export function defineErrorCode(
  code: PluginErrorCode['code'],
  { status, title, retryable = false }: Omit<PluginErrorCode, 'code' | 'retryable'> & { readonly retryable?: boolean },
): PluginErrorCode {
  const defined = Object.freeze({ code, status, title, retryable });
  if (!isPluginErrorCode(defined)) {
    throw new TypeError(
      `The error code ${JSON.stringify(code)} needs the form plugin-id/name_in_snake_case, a title, and one of the statuses ${STATUSES.join(', ')}.`,
    );
  }
  return defined;
}

/**
 * Returns whether a value is a valid definition. It may come from another copy of this package, or from code without
 * types.
 */
export function isPluginErrorCode(value: unknown): value is PluginErrorCode {
  if (typeof value !== 'object' || value === null) return false;
  const { code, status, title, retryable } = value as Record<string, unknown>;
  return (
    typeof code === 'string' &&
    code.length <= MAX_CODE_LENGTH &&
    CODE.test(code) &&
    typeof title === 'string' &&
    title !== '' &&
    typeof retryable === 'boolean' &&
    (STATUSES as readonly unknown[]).includes(status)
  );
}
