import { createRequire } from 'node:module';
import type { JsonObject, WebhookDelivery } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

interface Recorded {
  readonly name: string;
  readonly examples: readonly JsonObject[];
}

const require = createRequire(import.meta.url);
// Its types describe each of the bodies, which is more than the compiler should have to read here.
const recorded = require('@octokit/webhooks-examples') as readonly Recorded[];

/** All bodies that GitHub really sent, as the makers of Octokit collected them. */
export const GITHUB_DELIVERIES = recorded.flatMap(({ name, examples }) => examples.map((body) => ({ name, body })));

/** The first recorded body of an event and action that fits. */
export function githubBody(
  name: string,
  action?: string,
  fits: (body: JsonObject) => boolean = () => true,
): JsonObject {
  const found = GITHUB_DELIVERIES.find(
    (each) => each.name === name && (action === undefined || each.body['action'] === action) && fits(each.body),
  );
  if (found === undefined || !isJsonObject(found.body))
    throw new Error(`No body of ${name} ${action ?? ''} was recorded.`);
  return found.body;
}

/** Looks headers up whatever the case of their names, as the server does. */
export function headers(values: Readonly<Record<string, string>>): WebhookDelivery['header'] {
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => byName.get(name.toLowerCase());
}
