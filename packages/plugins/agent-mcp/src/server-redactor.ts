import type { Json, Redactor } from '@countersign/core/plugin';
import { escapePointer, isJsonObject } from '@countersign/model';
import type { McpServerConfiguration } from './configuration.js';
import { findUrlSecrets } from './url-secrets.js';

/** Shorter secrets would match unrelated texts by chance. */
const MIN_SECRET_LENGTH = 6;
/** Maximum length of a text that is searched, in characters. */
const MAX_TEXT_LENGTH = 16_384;

/** Removes secrets from a server's description of a tool. */
export type RedactSecrets = <Value extends Json>(tool: Value) => Value;

type ServerSecrets = Pick<McpServerConfiguration, 'Env' | 'Url'>;

/**
 * Creates a function that removes the secrets of an MCP server, and those of this server, from texts of the MCP server.
 * Pass complete texts, because a truncated secret is not found.
 *
 * @returns a function that returns the last of several texts without secrets, even if a secret is split across them;
 *   the result is of limited length
 */
export function createServerRedactor(
  server: ServerSecrets,
  redactor: Pick<Redactor, 'redactJson'>,
): (texts: readonly string[]) => string {
  const secrets = listSecrets(server);
  const maxSecretLength = secrets[0]?.length ?? 0;
  // The end of a truncated text may be the start of a secret.
  const truncate = (text: string): string =>
    text.length <= MAX_TEXT_LENGTH ? text : text.slice(0, Math.max(0, MAX_TEXT_LENGTH - maxSecretLength));
  return (texts) => replaceSecrets(redactor.redactJson(texts.map(truncate)).at(-1) ?? '', secrets);
}

/**
 * Creates a function that removes secrets from the description of a tool, whose length is limited elsewhere. Secrets in
 * validating parts (names, values, patterns) remain: a word of the schema may match by chance, and the tool would
 * change.
 */
export function createToolRedactor(server: ServerSecrets, redactor: Pick<Redactor, 'redactJson'>): RedactSecrets {
  const secrets = listSecrets(server);
  const redactValue = <Value extends Json>(value: Value): Value =>
    mapStrings(value, (text) => replaceSecrets(redactor.redactJson([text]).at(-1) ?? '', secrets)) as Value;
  const redactSchema = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(redactSchema);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        isDescriptive(name, item) ? redactValue(item) : redactSchema(item),
      ]),
    );
  };
  return (tool) => (isJsonObject(tool) ? (redactSchema(tool) as typeof tool) : redactValue(tool));
}

/** Keywords that describe and do not validate. A property may have such a name, but its value is then a schema. */
const DESCRIPTIVE_KEYWORDS: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'default', 'examples']);

function isDescriptive(keyword: string, value: Json): boolean {
  return DESCRIPTIVE_KEYWORDS.has(keyword) && !isJsonObject(value);
}

/** Returns the secrets, longest first, because a shorter one may be part of a longer one. */
function listSecrets({ Env, Url }: ServerSecrets): readonly string[] {
  const all = [
    ...Object.values(Env).map((secret) => secret.reveal()),
    ...(Url === undefined ? [] : findUrlSecrets(Url)),
  ];
  // Secrets may also appear escaped in JSON pointers.
  return [...new Set(all.flatMap((secret) => [secret, escapePointer(secret)]))]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
}

function replaceSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[secret]'), text);
}

/** Replaces every string of a value, including property names, in document order. */
function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapStrings(item, change)]));
}
