import type { Json, Redactor } from '@countersign/core/plugin';
import { escapePointer, isJsonObject } from '@countersign/model';
import type { McpServerConfiguration } from './configuration.js';
import { urlSecrets } from './url-secrets.js';

/** Shorter ones are found by chance in texts that have nothing to do with them. */
const SHORTEST_SECRET = 6;
/** What is looked at of a text, in characters. */
const MAX_TEXT = 16_384;

/** What a server says of a tool, without secrets. */
export type HideSecrets = <Value extends Json>(tool: Value) => Value;

type ServerSecrets = Pick<McpServerConfiguration, 'Env' | 'Url'>;

/**
 * Makes what hides the secrets of a server, and those of this one, in what the server says. It takes texts as they are: a
 * secret that was cut in two before is not found.
 *
 * @returns the last of some texts, without secrets, also where one is split over them; bounded
 */
export function secretHider(
  server: ServerSecrets,
  redactor: Pick<Redactor, 'json'>,
): (texts: readonly string[]) => string {
  const secrets = secretsOf(server);
  const longest = secrets[0]?.length ?? 0;
  // The end of what is cut may be the beginning of a secret.
  const bounded = (text: string): string =>
    text.length <= MAX_TEXT ? text : text.slice(0, Math.max(0, MAX_TEXT - longest));
  return (texts) => without(redactor.json(texts.map(bounded)).at(-1) ?? '', secrets);
}

/**
 * The same for what a tool says of itself, which is as long as it is allowed to be. Where a secret is a part of what fits
 * (names, values, patterns) it stays: a word of the schema may be the same by chance, and the tool would become another one.
 */
export function toolSecretHider(server: ServerSecrets, redactor: Pick<Redactor, 'json'>): HideSecrets {
  const secrets = secretsOf(server);
  const hidden = <Value extends Json>(value: Value): Value =>
    withTexts(value, (text) => without(redactor.json([text]).at(-1) ?? '', secrets)) as Value;
  const inSchema = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inSchema);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, isSaid(name, item) ? hidden(item) : inSchema(item)]),
    );
  };
  return (tool) => (isJsonObject(tool) ? (inSchema(tool) as typeof tool) : hidden(tool));
}

/** Keywords that say something, and nothing of what fits. A property may be called so, and then it is a schema. */
const SAID: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'default', 'examples']);

function isSaid(keyword: string, value: Json): boolean {
  return SAID.has(keyword) && !isJsonObject(value);
}

/** The longest first: a shorter one may be a part of it. */
function secretsOf({ Env, Url }: ServerSecrets): readonly string[] {
  const all = [...Object.values(Env).map((secret) => secret.reveal()), ...(Url === undefined ? [] : urlSecrets(Url))];
  // As they stand in JSON pointers, too.
  return [...new Set(all.flatMap((secret) => [secret, escapePointer(secret)]))]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
}

/** A value with other texts in the place of those in it, in the order in which it is written. */
function withTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), withTexts(item, change)]));
}
