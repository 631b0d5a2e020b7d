import type { WebhookDelivery } from '@countersign/core/plugin';
import type { HostKind } from './configuration.js';
import { invalidEvent } from './host-event.js';

const ID_PATTERN = /^[\x21-\x7e]{1,200}$/;

/**
 * Returns the host's id of a delivery, which is the same each time the host sends it again. Without one, the digest of
 * the body replaces it.
 *
 * GitLab sends the id as `Idempotency-Key` (since 17.4), and with a signing token also as `webhook-id`, which is
 * signed. Earlier versions only send `X-Gitlab-Event-UUID`, which an event shares with the events that it triggers, so
 * the digest of the body is added to it.
 *
 * @param bodyDigest SHA-256 of the body in hexadecimal
 * @throws {ApiError} `invalid_event`
 */
export function readDeliveryId(kind: HostKind, header: WebhookDelivery['header'], bodyDigest: string): string {
  const id = readHostDeliveryId(kind, header, bodyDigest) ?? bodyDeliveryId(bodyDigest);
  if (!ID_PATTERN.test(id))
    throw invalidEvent('The delivery id is invalid. Expected 1 to 200 visible ASCII characters.');
  return id;
}

/** Returns the substitute for a missing delivery id. */
export function bodyDeliveryId(bodyDigest: string): string {
  return `sha256:${bodyDigest}`;
}

function readHostDeliveryId(kind: HostKind, header: WebhookDelivery['header'], bodyDigest: string): string | undefined {
  switch (kind) {
    case 'github':
      return header('X-GitHub-Delivery');
    case 'gitea':
      return header('X-Forgejo-Delivery') ?? header('X-Gitea-Delivery');
    case 'gitlab': {
      const uuid = header('X-Gitlab-Event-UUID');
      return (
        header('webhook-id') ??
        header('Idempotency-Key') ??
        (uuid === undefined ? undefined : `${uuid}-${bodyDigest.slice(0, 32)}`)
      );
    }
  }
}
