import { isOutboundHttpError, type OutboundHttpPort } from '@countersign/core/plugin';
import type { ClaimedDelivery, DeliveryAttempt } from '@countersign/core/ports';
import type { Endpoint, NotifyConfiguration } from './configuration.js';
import { endpointFault } from './endpoint-fault.js';
import { signedHeaders } from './sign.js';

type Settings = NotifyConfiguration['Connectors']['Notify'];

/** What `Retry-After` may ask for at most. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
const GONE = 410;

/**
 * Makes one attempt, and says what came of it: an answer with 200 to 299 is a delivery, anything else is tried again after
 * the next pause, and 410 disables the endpoint (Standard Webhooks 1.0.0, "Operational considerations"). Redirects are not
 * followed.
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
  // It was put wrong after the notification was taken in, and may be put right again.
  if (endpointFault(endpoint) !== undefined)
    return { ...attempt, statusCode: null, error: 'notify_endpoint_invalid', retryInMs };
  try {
    const url = new URL(endpoint.Url.reveal());
    const { status, headers } = await http.send({
      method: 'POST',
      url,
      headers: {
        'content-type': contentType,
        ...(endpoint.Kind === 'webhook' ? signedHeaders(deliveryId, body, endpoint.Secret.accepted(now), now) : {}),
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
      retryInMs: retryInMs === null ? null : Math.max(retryInMs, asked(headers['retry-after'])),
      ...(status === GONE ? { disableAfterMs: 0 } : {}),
    };
  } catch (error) {
    // Whatever it was: what is wrong here may be put right within days, as much as what is wrong there.
    return {
      ...attempt,
      statusCode: null,
      error: isOutboundHttpError(error) ? error.code : 'notify_failed',
      retryInMs,
    };
  }
}

/** `Retry-After` in seconds (RFC 9110, 10.2.3), in ms. */
function asked(header: string | undefined): number {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header) * 1_000, LONGEST_WAIT_MS) : 0;
}
