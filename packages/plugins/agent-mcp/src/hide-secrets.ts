import type { Redactor } from '@countersign/core/plugin';
import type { McpServerConfiguration } from './configuration.js';

/** Shorter ones are found by chance in texts that have nothing to do with them. */
const SHORTEST_SECRET = 6;

/**
 * Makes what hides the secrets of a server, and those of this one, in what the server says.
 *
 * @returns the last of some texts, without secrets, also where one is split over them
 */
export function secretHider(
  { Env }: Pick<McpServerConfiguration, 'Env'>,
  redactor: Pick<Redactor, 'json'>,
): (texts: readonly string[]) => string {
  const secrets = Object.values(Env)
    .map((secret) => secret.reveal())
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  return (texts) => {
    const clean = redactor.json([...texts]).at(-1) ?? '';
    return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), clean);
  };
}
