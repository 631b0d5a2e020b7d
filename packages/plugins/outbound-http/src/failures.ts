import { isOutboundHttpError, OutboundHttpError } from '@countersign/core/plugin';

/** Returns an error that is not retryable. */
export function refused(code: string, message: string, options?: ErrorOptions): OutboundHttpError {
  return new OutboundHttpError(code, message, false, options);
}

/** Returns a retryable error. */
export function failed(code: string, message: string, options?: ErrorOptions): OutboundHttpError {
  return new OutboundHttpError(code, message, true, options);
}

const LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'UND_ERR_SOCKET']);
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
  'ENETDOWN',
]);

/** Converts an error of sockets, TLS, HTTP or decompression. The message reveals only the host of the call. */
export function explained(cause: unknown, host: string): OutboundHttpError {
  if (isOutboundHttpError(cause)) return cause;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_'))
    return failed('outbound_name_not_found', `The host name ${host} was not found (${code}).`, { cause });
  if (UNREACHABLE.has(code))
    return failed('outbound_unreachable', `${host} could not be reached (${code}).`, { cause });
  if (LOST.has(code))
    return failed(
      'outbound_connection_lost',
      `The connection to ${host} broke before the response was complete (${code}).`,
      { cause },
    );
  if (code === 'HPE_HEADER_OVERFLOW')
    return refused('outbound_response_too_large', `The response headers of ${host} are too large.`, { cause });
  if (code.startsWith('HPE_') || code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT')) {
    return failed('outbound_response_broken', `${host} sent an unreadable response (${code}).`, { cause });
  }
  if (isTls(code)) return refused('outbound_tls_failed', `The TLS connection to ${host} failed (${code}).`, { cause });
  return failed('outbound_failed', `The call to ${host} failed${code === '' ? '' : ` (${code})`}.`, { cause });
}

function isTls(code: string): boolean {
  return /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_|PATH_LENGTH_)/.test(
    code,
  );
}
