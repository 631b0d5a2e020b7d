import type { WebhookDelivery } from '@countersign/core/plugin';
import type { HostKind } from './configuration.js';
import { invalidEvent } from './host-event.js';

const ID = /^[\x21-\x7e]{1,200}$/;

/**
 * What a host calls a delivery, the same whenever it sends it again. Where it says nothing, the digest of the body stands in.
 *
 * At GitLab `Idempotency-Key` (since 17.4; with a signing token also `webhook-id`, which is signed) is that. Before,
 * `X-Gitlab-Event-UUID` comes near: but an event that was triggered by another one has the same, so the body has to tell
 * them apart.
 *
 * @param bodyDigest SHA-256 of the body in hexadecimal
 * @throws {ApiError} `invalid_event`
 */
export function deliveryIdOf(kind: HostKind, header: WebhookDelivery['header'], bodyDigest: string): string {
  const id = given(kind, header, bodyDigest) ?? idOfBody(bodyDigest);
  if (!ID.test(id)) throw invalidEvent('The id of the delivery has 1 to 200 visible ASCII characters.');
  return id;
}

/** Stands in for the id of a delivery that has none. */
export function idOfBody(bodyDigest: string): string {
  return `sha256:${bodyDigest}`;
}

function given(kind: HostKind, header: WebhookDelivery['header'], bodyDigest: string): string | undefined {
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
