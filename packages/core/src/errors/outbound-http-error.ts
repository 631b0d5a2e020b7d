import { brand, hasBrand } from '@countersign/model';

/**
 * A call to another system came to nothing. The message names the host at most: paths and queries may hold secrets, and
 * the message goes into the history of a run.
 */
export class OutboundHttpError extends Error {
  /** Whether anything of the call may have got to another system. Where not, it was surely not made. */
  readonly wasSent: boolean;

  constructor(
    /** Stable: `outbound_…`. */
    readonly code: string,
    message: string,
    /** Whether the same call may succeed later, with nothing changed. */
    readonly retryable: boolean,
    { wasSent = true, ...options }: ErrorOptions & { readonly wasSent?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'OutboundHttpError';
    this.wasSent = wasSent;
  }
}

brand(OutboundHttpError, 'OutboundHttpError');

/** Whether this is an {@link OutboundHttpError}, of any copy of this package: use this instead of `instanceof`. */
export function isOutboundHttpError(value: unknown): value is OutboundHttpError {
  return hasBrand(value, 'OutboundHttpError');
}
