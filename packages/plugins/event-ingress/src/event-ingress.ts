import {
  ApiError,
  ClockPort,
  isApiError,
  type ReceivedEvent,
  ReceiveInboundEvent,
  type WebhookResponse,
  type WebhookContribution,
  type WebhookDelivery,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { createHash } from 'node:crypto';
import type { EventSource } from './configuration.js';
import { EventSources } from './event-sources.js';
import { readEvent } from './read-event.js';
import { verifyBodySignature } from './verify-body-signature.js';
import { isStandardWebhook, verifyStandardWebhook } from './verify-standard-webhook.js';

const VIA = 'event-ingress';
const SOURCE_HEADER = 'X-Service-Source';
const SIGNATURE_HEADER = 'X-Service-Signature-256';
const DELIVERY_HEADER = 'X-Service-Delivery';

const DELIVERY_ID_PATTERN = /^[ -~]{1,255}$/;

/**
 * Accepts events of registered systems. Whatever the reason why a delivery cannot be attributed to a source (unknown or
 * disabled source, missing or repeated header, invalid signature), the response is the same.
 */
@injectable()
export class EventIngress implements WebhookContribution {
  readonly path = '/webhooks/events';

  constructor(
    @inject(EventSources) private readonly sources: EventSources,
    @inject(ReceiveInboundEvent) private readonly events: ReceiveInboundEvent,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  isOpen(): boolean {
    return this.sources.enabled;
  }

  async receive(delivery: WebhookDelivery): Promise<WebhookResponse> {
    const source = this.sources.find(delivery.header(SOURCE_HEADER) ?? '');
    const { from, traceId } = delivery;
    // Set as soon as the message is known, for the record of a refusal.
    const refusalDetails: { messageName?: string } = {};
    try {
      const event = await this.receiveEvent(delivery, source, refusalDetails);
      return { status: 200, body: toResponseBody(event) };
    } catch (error) {
      if (isApiError(error) && error.code !== 'service_unavailable') {
        this.events.recordRefusal({
          via: VIA,
          source: source?.Id ?? null,
          code: error.code,
          ...refusalDetails,
          from,
          traceId,
        });
      }
      throw error;
    }
  }

  /**
   * Verifies a delivery by one of the two signing schemes: if it has headers of Standard Webhooks, these must be valid.
   */
  private verify(
    delivery: WebhookDelivery,
    source: EventSource | undefined,
  ): { readonly idempotencyKey: string; readonly isIdSigned: boolean } | undefined {
    const { maxSecrets } = this.sources;
    const secrets = source === undefined ? [] : this.sources.acceptedSecrets(source);
    if (isStandardWebhook(delivery)) {
      const id = verifyStandardWebhook(delivery, secrets, maxSecrets, this.clock.now());
      return id === undefined ? undefined : { idempotencyKey: `${SIGNED_ID_PREFIX}${id}`, isIdSigned: true };
    }
    const digest = verifyBodySignature(delivery.body, delivery.header(SIGNATURE_HEADER), secrets, maxSecrets);
    if (digest === undefined || source?.RequireStandardWebhooks === true) return undefined;
    return { idempotencyKey: readDeliveryId(delivery) ?? digest, isIdSigned: false };
  }

  private async receiveEvent(
    delivery: WebhookDelivery,
    source: EventSource | undefined,
    refusalDetails: { messageName?: string },
  ): Promise<ReceivedEvent> {
    const verified = this.verify(delivery, source);
    if (source === undefined || verified === undefined) {
      throw new ApiError(
        'invalid_signature',
        'The delivery is not from a registered source, its signature does not match, or its signed time is more than five minutes off.',
      );
    }
    const { idempotencyKey, isIdSigned } = verified;
    const { messageName, correlationKey, payload } = readEvent(delivery.body, source);
    refusalDetails.messageName = messageName;
    const { AllowedMessageNames, BufferFor, RejectReplayedBodies } = source;
    if (AllowedMessageNames?.includes(messageName) === false) {
      throw new ApiError(
        'message_not_allowed',
        `The source "${source.Id}" may not deliver the message "${messageName}".`,
      );
    }
    return this.events.receive({
      via: VIA,
      source: source.Id,
      idempotencyKey,
      messageName,
      correlationKey,
      payload,
      bufferForMs: (Object.hasOwn(BufferFor, messageName) ? BufferFor[messageName] : undefined) ?? 0,
      bodyDigest: createHash('sha256')
        .update(isIdSigned ? `${idempotencyKey}.` : '')
        .update(delivery.body)
        .digest('hex'),
      // Without a signed id, only the body identifies a delivery, even if the secret has changed or an id was added
      // since.
      oncePerBody: !isIdSigned && (RejectReplayedBodies || !delivery.hasHeader(DELIVERY_HEADER)),
      from: delivery.from,
      traceId: delivery.traceId,
    });
  }
}

/** Separates signed ids from those that anyone can write, so that no signed id can be claimed in advance. */
const SIGNED_ID_PREFIX = 'webhook-id:';

/**
 * Returns the id of a delivery; `undefined` if the sender provides none. An invalid id is refused, because it could
 * belong to any delivery.
 *
 * @throws {ApiError} `invalid_event`
 */
function readDeliveryId(delivery: WebhookDelivery): string | undefined {
  if (!delivery.hasHeader(DELIVERY_HEADER)) return undefined;
  const id = delivery.header(DELIVERY_HEADER);
  if (id !== undefined && DELIVERY_ID_PATTERN.test(id)) return id;
  throw new ApiError(
    'invalid_event',
    `Send ${DELIVERY_HEADER} at most once, with 1 to 255 printable ASCII characters.`,
  );
}

function toResponseBody({
  eventId,
  duplicate,
  messageName,
  correlationKey,
  resumedRunIds,
  startedRunIds,
  buffered,
}: ReceivedEvent): WebhookResponse['body'] {
  const runIds = [...resumedRunIds, ...startedRunIds];
  return {
    eventId,
    resumed: resumedRunIds.length > 0,
    duplicate,
    runId: runIds[0] ?? null,
    runIds,
    startedRunIds: [...startedRunIds],
    buffered,
    messageName,
    correlationKey,
  };
}
