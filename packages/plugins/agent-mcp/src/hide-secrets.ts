import type { Redactor } from '@countersign/core/plugin';
import type { McpServerConfiguration } from './configuration.js';

/** Shorter ones are found by chance in texts that have nothing to do with them. */
const SHORTEST_SECRET = 6;
/** What is looked at of a text, in characters. */
const MAX_TEXT = 16_384;

/**
 * Makes what hides the secrets of a server, and those of this one, in what the server says. It takes texts as they are: a
 * secret that was cut in two before is not found.
 *
 * @returns the last of some texts, without secrets, also where one is split over them; bounded
 */
export function secretHider(
  { Env }: Pick<McpServerConfiguration, 'Env'>,
  redactor: Pick<Redactor, 'json'>,
): (texts: readonly string[]) => string {
  const secrets = Object.values(Env)
    .map((secret) => secret.reveal())
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  const longest = secrets[0]?.length ?? 0;
  // The end of what is cut may be the beginning of a secret.
  const bounded = (text: string): string =>
    text.length <= MAX_TEXT ? text : text.slice(0, Math.max(0, MAX_TEXT - longest));
  return (texts) => {
    const clean = redactor.json(texts.map(bounded)).at(-1) ?? '';
    return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), clean);
  };
}
