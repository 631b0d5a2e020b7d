import type { Json, Redactor } from '@countersign/core/plugin';
import { escapePointer, isJsonObject } from '@countersign/model';
import type { McpServerConfiguration } from './configuration.js';
import { urlSecrets } from './url-secrets.js';

/** Shorter secrets would match unrelated texts by chance. */
const SHORTEST_SECRET = 6;
/** Maximum length of a text that is searched, in characters. */
const MAX_TEXT = 16_384;

/** Removes secrets from a server's description of a tool. */
export type HideSecrets = <Value extends Json>(tool: Value) => Value;

type ServerSecrets = Pick<McpServerConfiguration, 'Env' | 'Url'>;

/**
 * Creates a function that removes the secrets of an MCP server, and those of this server, from texts of the MCP server.
 * Pass complete texts: a secret that was cut in two is not found.
 *
 * @returns a function that returns the last of several texts without secrets, even if one is split over them; bounded
 */
export function secretHider(
  server: ServerSecrets,
  redactor: Pick<Redactor, 'json'>,
): (texts: readonly string[]) => string {
  const secrets = secretsOf(server);
  const longest = secrets[0]?.length ?? 0;
  // The end of a truncated text may be the start of a secret.
  const bounded = (text: string): string =>
    text.length <= MAX_TEXT ? text : text.slice(0, Math.max(0, MAX_TEXT - longest));
  return (texts) => without(redactor.json(texts.map(bounded)).at(-1) ?? '', secrets);
}

/**
 * Creates the same for the description of a tool, whose length is limited elsewhere. Secrets in validating parts
 * (names, values, patterns) remain: a word of the schema may match by chance, and the tool would change.
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

/** Keywords that describe and do not validate. A property may have such a name, but its value is then a schema. */
const SAID: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'default', 'examples']);

function isSaid(keyword: string, value: Json): boolean {
  return SAID.has(keyword) && !isJsonObject(value);
}

/** Returns the secrets, longest first, because a shorter one may be part of a longer one. */
function secretsOf({ Env, Url }: ServerSecrets): readonly string[] {
  const all = [...Object.values(Env).map((secret) => secret.reveal()), ...(Url === undefined ? [] : urlSecrets(Url))];
  // Also in the form of JSON pointers.
  return [...new Set(all.flatMap((secret) => [secret, escapePointer(secret)]))]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
}

/** Returns a value whose texts are replaced, in document order. */
function withTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), withTexts(item, change)]));
}
