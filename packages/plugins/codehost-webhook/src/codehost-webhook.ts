import { createHash } from 'node:crypto';
import {
  ClockPort,
  CountersignError,
  LoggerPort,
  ReceiveInboundEvent,
  type WebhookAnswer,
  type WebhookContribution,
  type WebhookDelivery,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { LiveCodehostConfiguration } from './configuration.js';
import { deliveryIdOf } from './delivery-id.js';
import type { HostEvent, Subject } from './host-event.js';
import { claimedHost, type Host } from './hosts.js';
import { parseBody, requireJson } from './read-body.js';

const VIA = 'codehost-webhook';
/**
 * One for all kinds of hosts: what kind a delivery is of stands in headers that nobody signs, and Gitea signs for GitHub's,
 * too. A delivery must not count once more for being dressed up as another host's.
 */
const SOURCE = 'codehost';
/** What a host sends to try a webhook. */
const PING = 'ping';

/** `POST /webhooks/codehost`: what happens at a source-code host, as messages. */
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
    return this.#settings.Enabled;
  }

  async receive(delivery: WebhookDelivery): Promise<WebhookAnswer> {
    const { header, body } = delivery;
    requireJson(header);
    const host = this.#verified(delivery);
    const bodyDigest = createHash('sha256').update(body).digest('hex');
    const deliveryId = deliveryIdOf(host.kind, header, bodyDigest);
    const { event, action, about } = host.read(header, parseBody(body));
    if (about === null || event === PING) {
      this.log.debug(
        { host: host.kind, deliveryId, event, action, traceId: delivery.traceId },
        'a code host told of something that concerns no run',
      );
      return answer({ deliveryId, event, action, duplicate: false, startedRuns: [], resumedRuns: [] });
    }
    const received = await this.inbound.receive({
      via: VIA,
      source: SOURCE,
      idempotencyKey: deliveryId,
      messageName: messageNameOf({ event, action }),
      correlationKey: correlationKeyOf(about),
      payload: {
        codehost: {
          host: host.kind,
          deliveryId,
          event,
          action,
          correlationKey: correlationKeyOf(about),
          ...about.details,
        },
      },
      bodyDigest,
      oncePerBody: this.#settings.RejectReplayedBodies,
      from: delivery.from,
      traceId: delivery.traceId,
    });
    const { duplicate, startedRunIds, resumedRunIds } = received;
    return answer({
      deliveryId,
      event,
      action,
      duplicate,
      startedRuns: [...startedRunIds],
      resumedRuns: [...resumedRunIds],
    });
  }

  get #settings() {
    return this.configuration.current.Integrations.CodeHost;
  }

  /** @throws {CountersignError} `invalid_signature`, the same whatever is wrong */
  #verified(delivery: WebhookDelivery): Host {
    const { Secret: secret, Hosts: kinds } = this.#settings;
    const host = claimedHost(delivery.header);
    const now = this.clock.now();
    const holds =
      host !== undefined &&
      kinds.includes(host.kind) &&
      (!secret.isSet || host.verifier.verify(delivery, secret.accepted(now), now));
    if (holds) return host;
    this.inbound.refuse({
      via: VIA,
      source: null,
      code: 'invalid_signature',
      from: delivery.from,
      traceId: delivery.traceId,
    });
    throw new CountersignError(
      'invalid_signature',
      'The delivery is of no kind of host that is taken here (Integrations:CodeHost:Hosts), or its signature does not hold (Integrations:CodeHost:Secret).',
    );
  }
}

function messageNameOf({ event, action }: Pick<HostEvent, 'event' | 'action'>): string {
  return action === null ? `codehost.${event}` : `codehost.${event}.${action}`;
}

function correlationKeyOf({ repository, number }: Subject): string {
  return number === null ? repository : `${repository}#${number}`;
}

function answer(body: WebhookAnswer['body']): WebhookAnswer {
  return { status: 202, body };
}
