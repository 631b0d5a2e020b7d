import { isOutboundHttpError, OutboundHttpError } from '@countersign/core/plugin';

/** Returns an error that is not retryable. */
export function permanentError(code: string, message: string, options?: ErrorOptions): OutboundHttpError {
  return new OutboundHttpError(code, message, false, options);
}

/** Returns a retryable error. */
export function retryableError(code: string, message: string, options?: ErrorOptions): OutboundHttpError {
  return new OutboundHttpError(code, message, true, options);
}

const CONNECTION_LOST_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'UND_ERR_SOCKET',
]);
const UNREACHABLE_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
  'ENETDOWN',
]);

/** Converts an error of sockets, TLS, HTTP or decompression. The message reveals only the host of the call. */
export function toOutboundHttpError(cause: unknown, host: string): OutboundHttpError {
  if (isOutboundHttpError(cause)) return cause;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_'))
    return retryableError('outbound_name_not_found', `The host name ${host} was not found (${code}).`, { cause });
  if (UNREACHABLE_CODES.has(code))
    return retryableError('outbound_unreachable', `${host} could not be reached (${code}).`, { cause });
  if (CONNECTION_LOST_CODES.has(code))
    return retryableError(
      'outbound_connection_lost',
      `The connection to ${host} broke before the response was complete (${code}).`,
      { cause },
    );
  if (code === 'HPE_HEADER_OVERFLOW')
    return permanentError('outbound_response_too_large', `The response headers of ${host} are too large.`, { cause });
  if (code.startsWith('HPE_') || code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT')) {
    return retryableError('outbound_response_broken', `${host} sent an unreadable response (${code}).`, { cause });
  }
  if (isTlsErrorCode(code))
    return permanentError('outbound_tls_failed', `The TLS connection to ${host} failed (${code}).`, { cause });
  return retryableError('outbound_failed', `The call to ${host} failed${code === '' ? '' : ` (${code})`}.`, { cause });
}

function isTlsErrorCode(code: string): boolean {
  return /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_|PATH_LENGTH_)/.test(
    code,
  );
}
