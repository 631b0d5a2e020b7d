/** Names of parameters whose values always count as secrets. */
const SECRET_PARAMETER = /key|token|secret|passw|pwd|auth|signature|credential|jwt/i;
/** Shorter values and segments are words, versions or numbers. */
const MIN_SECRET_LENGTH = 8;
/** Longer segments are not words of a path. */
const MAX_WORDS_LENGTH = 32;
/** Words such as `model-context-protocol`, `database,docs` and `eu-west-1`. */
const WORDS_PATTERN = /^[a-z]{1,15}(?:[-_.,][a-z]{1,15})*(?:-\d)?$/;
/** Versions such as `v1.2` and `2025-06-18`. */
const VERSION_PATTERN = /^v?\d{1,4}(?:[-._]\d{1,4})*$/;

/**
 * Returns the possible secrets in the URL of a server, encoded and decoded: user name and password, values of
 * parameters, and path segments that do not look like words (`/mcp/s/3c7Xk9…`).
 */
export function findUrlSecrets(address: string): readonly string[] {
  const { username, password, pathname, search } = new URL(address);
  const values = search
    .slice(1)
    .split('&')
    .flatMap((parameter) => {
      const [, name = '', value = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(parameter) ?? [];
      return SECRET_PARAMETER.test(name) || looksLikeSecret(value) ? [value] : [];
    });
  return [username, password, ...values, ...pathname.split('/').filter(looksLikeSecret)].flatMap(encodings);
}

function looksLikeSecret(encoded: string): boolean {
  const text = decode(encoded);
  if (text.length < MIN_SECRET_LENGTH) return false;
  return text.length > MAX_WORDS_LENGTH || !(WORDS_PATTERN.test(text) || VERSION_PATTERN.test(text));
}

/** Returns the forms in which servers may repeat a secret. */
function encodings(encoded: string): readonly string[] {
  const text = decode(encoded);
  return [encoded, text, encodeURIComponent(text), decode(encoded.replaceAll('+', ' '))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).toWellFormed();
  } catch {
    return text;
  }
}
