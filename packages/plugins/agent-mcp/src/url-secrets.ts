/** Names of parameters whose values always count as secrets. */
const SECRET_NAME = /key|token|secret|passw|pwd|auth|signature|credential|jwt/i;
/** Shorter values and segments are words, versions or numbers. */
const SHORTEST = 8;
/** Longer segments are not words of a path. */
const LONGEST_WORDS = 32;
/** Words such as `model-context-protocol`, `database,docs` and `eu-west-1`. */
const WORDS = /^[a-z]{1,15}(?:[-_.,][a-z]{1,15})*(?:-\d)?$/;
/** Versions such as `v1.2` and `2025-06-18`. */
const VERSION = /^v?\d{1,4}(?:[-._]\d{1,4})*$/;

/**
 * Returns the possible secrets in the URL of a server, encoded and decoded: user name and password, values of
 * parameters, and path segments that do not look like words (`/mcp/s/3c7Xk9…`).
 */
export function urlSecrets(address: string): readonly string[] {
  const { username, password, pathname, search } = new URL(address);
  const values = search
    .slice(1)
    .split('&')
    .flatMap((parameter) => {
      const [, name = '', value = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(parameter) ?? [];
      return SECRET_NAME.test(name) || looksSecret(value) ? [value] : [];
    });
  return [username, password, ...values, ...pathname.split('/').filter(looksSecret)].flatMap(formsOf);
}

function looksSecret(encoded: string): boolean {
  const text = decoded(encoded);
  if (text.length < SHORTEST) return false;
  return text.length > LONGEST_WORDS || !(WORDS.test(text) || VERSION.test(text));
}

/** Returns the forms in which servers may repeat a secret. */
function formsOf(encoded: string): readonly string[] {
  const text = decoded(encoded);
  return [encoded, text, encodeURIComponent(text), decoded(encoded.replaceAll('+', ' '))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).toWellFormed();
  } catch {
    return text;
  }
}
