/** Minimum length of a form. Shorter forms cause false matches. */
const MIN_LENGTH = 8;

/**
 * Returns the forms of a secret that are searched for: unchanged, trimmed, reversed, as a JSON string, percent-encoded,
 * in hex, and in Base64 at any offset. Returns no forms for values shorter than 8 characters.
 */
export function buildSecretForms(value: string): ReadonlySet<string> {
  const forms = new Set<string>();
  if (value.length < MIN_LENGTH) return forms;
  const bytes = Buffer.from(value, 'utf8');
  const escaped = JSON.stringify(value).slice(1, -1);
  const candidates = [
    value,
    value.trim(),
    [...value].reverse().join(''),
    escaped,
    escaped.replaceAll('/', '\\/'),
    escapeToAscii(escaped),
    JSON.stringify(escaped).slice(1, -1),
    ...buildPercentForms(value, bytes),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => buildBase64Forms(bytes, offset)),
  ];
  for (const form of candidates) if (form.length >= MIN_LENGTH) forms.add(form);
  return forms;
}

function buildPercentForms(value: string, bytes: Buffer): string[] {
  if (!value.isWellFormed()) return [];
  const component = encodeURIComponent(value);
  const strictlyEncoded = component.replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const fullyEncoded = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
  const forms = [component, strictlyEncoded, encodeURI(value), strictlyEncoded.replaceAll('%20', '+'), fullyEncoded];
  return [...forms, ...forms.map((form) => form.replaceAll(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase()))];
}

/**
 * Returns the Base64 of a secret that starts at an offset in a group of three bytes, without the characters that also
 * encode neighbouring bytes.
 */
function buildBase64Forms(bytes: Buffer, offset: number): string[] {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  const from = Math.ceil((offset * 8) / 6);
  const to = Math.floor((shifted.length * 8) / 6);
  return [shifted.toString('base64').slice(from, to), shifted.toString('base64url').slice(from, to)];
}

function escapeToAscii(text: string): string {
  return text.replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
