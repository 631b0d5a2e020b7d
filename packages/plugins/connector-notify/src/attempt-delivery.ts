import { isOutboundHttpError, type OutboundHttpPort } from '@countersign/core/plugin';
import type { ClaimedDelivery, DeliveryAttempt } from '@countersign/core/ports';
import type { Endpoint, NotifyConfiguration } from './configuration.js';
import { findEndpointProblem } from './endpoint-problem.js';
import { createSignatureHeaders } from './webhook-signature.js';

type Settings = NotifyConfiguration['Connectors']['Notify'];

/** Maximum delay accepted from `Retry-After`. */
const MAX_WAIT_MS = 24 * 3_600_000;
const GONE_STATUS = 410;

/**
 * Makes one delivery attempt and returns its result. A status from 200 to 299 means delivered, any other result is
 * retried after the next delay, and 410 disables the endpoint (Standard Webhooks 1.0.0, "Operational considerations").
 * Redirects are not followed.
 *
 * @param now milliseconds since the epoch
 */
export async function attemptDelivery(
  http: OutboundHttpPort,
  delivery: ClaimedDelivery,
  endpoint: Endpoint,
  settings: Settings,
  now: number,
): Promise<DeliveryAttempt> {
  const { deliveryId, endpointId, epoch, attempts, contentType, body } = delivery;
  const attempt = { deliveryId, endpointId, epoch, disableAfterMs: settings.DisableAfter };
  const retryInMs = settings.RetryAfter[attempts] ?? null;
  // The endpoint became invalid after the notification was accepted, and may still be fixed.
  if (findEndpointProblem(endpoint) !== undefined)
    return { ...attempt, statusCode: null, error: 'notify_endpoint_invalid', retryInMs };
  try {
    const url = new URL(endpoint.Url.reveal());
    const { status, headers } = await http.send({
      method: 'POST',
      url,
      headers: {
        'content-type': contentType,
        ...(endpoint.Kind === 'webhook'
          ? createSignatureHeaders(deliveryId, body, endpoint.Secret.acceptedValues(now), now)
          : {}),
      },
      body,
      allowedHosts: [url.host],
      timeoutMs: settings.Timeout,
      maxRedirects: 0,
    });
    if (status >= 200 && status < 300) return { ...attempt, statusCode: status, error: null, retryInMs: null };
    return {
      ...attempt,
      statusCode: status,
      error: `http_status_${status}`,
      retryInMs: retryInMs === null ? null : Math.max(retryInMs, parseRetryAfter(headers['retry-after'])),
      ...(status === GONE_STATUS ? { disableAfterMs: 0 } : {}),
    };
  } catch (error) {
    // Any error is retried: problems on this side may be fixed within days, just like those of the receiver.
    return {
      ...attempt,
      statusCode: null,
      error: isOutboundHttpError(error) ? error.code : 'notify_failed',
      retryInMs,
    };
  }
}

/** Converts `Retry-After` in seconds (RFC 9110, 10.2.3) to ms. */
function parseRetryAfter(header: string | undefined): number {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header) * 1_000, MAX_WAIT_MS) : 0;
}
