import { createRequire } from 'node:module';
import type { JsonObject, WebhookDelivery } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

interface RecordedWebhook {
  readonly name: string;
  readonly examples: readonly JsonObject[];
}

const require = createRequire(import.meta.url);
// Loaded with `require`, because the types of the package describe every body and would slow down the compiler.
const recordedWebhooks = require('@octokit/webhooks-examples') as readonly RecordedWebhook[];

/** All recorded bodies that GitHub sent, as collected by Octokit. */
export const GITHUB_DELIVERIES = recordedWebhooks.flatMap(({ name, examples }) =>
  examples.map((body) => ({ name, body })),
);

/** Returns the first recorded body with this event and action for which `predicate` returns true. */
export function githubBody(
  name: string,
  action?: string,
  predicate: (body: JsonObject) => boolean = () => true,
): JsonObject {
  const found = GITHUB_DELIVERIES.find(
    (each) => each.name === name && (action === undefined || each.body['action'] === action) && predicate(each.body),
  );
  if (found === undefined || !isJsonObject(found.body))
    throw new Error(`No body of ${name} ${action ?? ''} was recorded.`);
  return found.body;
}

/** Returns a header lookup that ignores the case of names, as the server does. */
export function createHeaderLookup(values: Readonly<Record<string, string>>): WebhookDelivery['header'] {
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => byName.get(name.toLowerCase());
}
