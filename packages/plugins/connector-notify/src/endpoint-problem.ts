import type { Endpoint } from './configuration.js';
import { decodeWebhookKey } from './webhook-signature.js';

/**
 * Returns why an endpoint is unusable, without its secrets; `undefined` if it is usable. This is checked at each use,
 * not when the configuration is read: saved secrets are loaded later, and an invalid one must not prevent the server
 * from starting.
 */
export function findEndpointProblem({ Id, Kind, Url, Secret }: Endpoint): string | undefined {
  const url = URL.canParse(Url.reveal()) ? new URL(Url.reveal()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return `The Url of "${Id}" in Connectors:Notify:Endpoints must start with https:// or http://.`;
  if (Kind === 'webhook' && decodeWebhookKey(Secret.reveal()) === undefined) {
    return `The Secret of "${Id}" in Connectors:Notify:Endpoints must be "whsec_" and 24 to 64 bytes in base64. To create one, run: echo "whsec_$(openssl rand -base64 32)".`;
  }
  return undefined;
}
