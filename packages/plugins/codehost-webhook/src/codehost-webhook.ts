import { createHash } from 'node:crypto';
import {
  ApiError,
  ClockPort,
  LoggerPort,
  ReceiveInboundEvent,
  type WebhookResponse,
  type WebhookContribution,
  type WebhookDelivery,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { isConfigured, LiveCodehostConfiguration, type CodehostSettings } from './configuration.js';
import { readDeliveryId, bodyDeliveryId } from './delivery-id.js';
import type { HostEvent, CodeHostTarget } from './host-event.js';
import { findClaimedHost, type CodeHostAdapter } from './code-host-adapter.js';
import { parseBody, requireJson } from './read-body.js';

const VIA = 'codehost-webhook';
/**
 * Source of all deliveries, whatever the kind of host: the kind is in unsigned headers, and Gitea also sends GitHub's
 * signature. A delivery must not be accepted again if it is disguised as one of another host.
 */
const SOURCE = 'codehost';
/** Event that a host sends to test a webhook. */
const PING = 'ping';

/** `POST /webhooks/codehost`: publishes events of a source-code host as messages. */
@injectable()
export class CodehostWebhook implements WebhookContribution {
  readonly path = '/webhooks/codehost';

  constructor(
    @inject(LiveCodehostConfiguration) private readonly configuration: LiveCodehostConfiguration,
    @inject(ReceiveInboundEvent) private readonly inbound: ReceiveInboundEvent,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {}

  isOpen(): boolean {
    return isConfigured(this.#settings);
  }

  async receive(delivery: WebhookDelivery): Promise<WebhookResponse> {
    const { header, body } = delivery;
    requireJson(header);
    const host = this.#requireVerified(delivery);
    const bodyDigest = createHash('sha256').update(body).digest('hex');
    const deliveryId = readDeliveryId(host.kind, header, bodyDigest);
    const { event, action, about } = host.read(header, parseBody(body));
    if (about === null || event === PING) {
      this.log.debug(
        { host: host.kind, deliveryId, event, action, traceId: delivery.traceId },
        'ignored a code host event that concerns no run',
      );
      return toResponse({ deliveryId, event, action, duplicate: false, startedRuns: [], resumedRuns: [] });
    }
    const received = await this.inbound.receive({
      via: VIA,
      source: SOURCE,
      idempotencyKey: deliveryId,
      messageName: toMessageName({ event, action }),
      correlationKey: toCorrelationKey(about),
      payload: {
        codehost: {
          host: host.kind,
          deliveryId,
          event,
          action,
          correlationKey: toCorrelationKey(about),
          ...about.details,
        },
      },
      bodyDigest,
      // Without an id, only the body identifies a delivery. A later delivery with the same body is a repeat, even if it
      // has an id.
      oncePerBody: this.#settings.RejectReplayedBodies || deliveryId === bodyDeliveryId(bodyDigest),
      from: delivery.from,
      traceId: delivery.traceId,
    });
    const { duplicate, startedRunIds, resumedRunIds } = received;
    return toResponse({
      deliveryId,
      event,
      action,
      duplicate,
      startedRuns: [...startedRunIds],
      resumedRuns: [...resumedRunIds],
    });
  }

  get #settings(): CodehostSettings {
    return this.configuration.current.Integrations.CodeHost;
  }

  /** @throws {ApiError} `invalid_signature`, the same for every cause */
  #requireVerified(delivery: WebhookDelivery): CodeHostAdapter {
    const { Secret: secret, Hosts: kinds, AllowUnsigned } = this.#settings;
    const host = findClaimedHost(delivery.header);
    const now = this.clock.now();
    const isAcceptedBy = (adapter: CodeHostAdapter): boolean =>
      secret.isSet
        ? adapter.verifier.verify(delivery, secret.acceptedValues(now), now)
        : AllowUnsigned || delivery.isLocal;
    const isVerified = host !== undefined && kinds.includes(host.kind) && isAcceptedBy(host);
    if (isVerified) return host;
    this.inbound.recordRefusal({
      via: VIA,
      source: null,
      code: 'invalid_signature',
      from: delivery.from,
      traceId: delivery.traceId,
    });
    throw new ApiError(
      'invalid_signature',
      'The delivery is from a kind of host that is not accepted here (Integrations:CodeHost:Hosts), its signature does not match (Integrations:CodeHost:Secret), or it is unsigned and from another machine (Integrations:CodeHost:AllowUnsigned).',
    );
  }
}

function toMessageName({ event, action }: Pick<HostEvent, 'event' | 'action'>): string {
  return action === null ? `codehost.${event}` : `codehost.${event}.${action}`;
}

function toCorrelationKey({ repository, number }: CodeHostTarget): string {
  return number === null ? repository : `${repository}#${number}`;
}

function toResponse(body: WebhookResponse['body']): WebhookResponse {
  return { status: 202, body };
}
