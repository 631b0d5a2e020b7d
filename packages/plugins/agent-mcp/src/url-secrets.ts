/** Names of parameters whose values are secrets, whatever they look like. */
const SECRET_NAME = /key|token|secret|passw|pwd|auth|signature|credential|jwt/i;
/** Values and segments of fewer characters are words, versions or numbers. */
const SHORTEST = 8;
/** Longer ones are no words of a path. */
const LONGEST_WORDS = 32;
/** Such as `model-context-protocol`, `database,docs` and `eu-west-1`. */
const WORDS = /^[a-z]{1,15}(?:[-_.,][a-z]{1,15})*(?:-\d)?$/;
/** Such as `v1.2` and `2025-06-18`. */
const VERSION = /^v?\d{1,4}(?:[-._]\d{1,4})*$/;

/**
 * What the address of a server may hold of secrets, as it is and decoded: user name and password, values of parameters, and
 * segments of the path that nobody would choose as words (`/mcp/s/3c7Xk9…`).
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

/** As servers repeat it. */
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
