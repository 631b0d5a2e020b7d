import { brand, hasBrand } from '@countersign/model';

/**
 * Thrown when a call to another system fails. The message contains at most the host: paths and queries may contain
 * secrets, and the message is stored in the history of a run.
 */
export class OutboundHttpError extends Error {
  /** Whether any part of the request may have reached another system. If false, the call was certainly not made. */
  readonly wasSent: boolean;

  constructor(
    /** Stable code: `outbound_…`. */
    readonly code: string,
    message: string,
    /** Whether the same call may succeed later without changes. */
    readonly retryable: boolean,
    { wasSent = true, ...options }: ErrorOptions & { readonly wasSent?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'OutboundHttpError';
    this.wasSent = wasSent;
  }
}

brand(OutboundHttpError, 'OutboundHttpError');

/**
 * Returns whether a value is an {@link OutboundHttpError} of any copy of this package. Use this instead of
 * `instanceof`.
 */
export function isOutboundHttpError(value: unknown): value is OutboundHttpError {
  return hasBrand(value, 'OutboundHttpError');
}
