import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { OutboundCredential } from '@countersign/core/plugin';
import type { OutboundConfiguration } from './configuration.js';
import { canHoldCredential } from './check-request.js';
import { permanentError } from './outbound-errors.js';
import { matchesHostPattern } from './host-patterns.js';

type Secrets = OutboundConfiguration['Connectors']['Secrets'];

/** A credential ready to be sent: a header, and the texts to redact in the response. */
export interface ResolvedCredential {
  readonly name: string;
  readonly value: string;
  readonly secretForms: readonly string[];
}

/**
 * Resolves the secret of a credential for one host.
 *
 * @throws {OutboundHttpError} `outbound_secret_unknown`, `outbound_secret_not_for_host`, `outbound_secret_in_clear`,
 * `outbound_request_invalid`
 */
export function resolveCredential(
  credential: OutboundCredential,
  url: URL,
  isPublic: boolean,
  secrets: Secrets,
): ResolvedCredential {
  if (url.protocol !== 'https:' && isPublic) {
    throw permanentError(
      'outbound_secret_in_clear',
      `A secret is not sent to ${url.host} without encryption. Use https.`,
    );
  }
  const secret = resolveSecret(credential.secret, url, secrets);
  const { name, value } = toHeader(credential, secret);
  if (!canHoldCredential(name))
    throw permanentError(
      'outbound_request_invalid',
      `A secret cannot be sent in the header "${name}", because it controls the framing or routing of the request.`,
    );
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    // Without the cause, because it would reveal the secret.
    throw permanentError(
      'outbound_request_invalid',
      `The secret for ${url.host} cannot be sent as a header: it contains characters that headers must not contain.`,
    );
  }
  return { name: name.toLowerCase(), value, secretForms: listSecretForms(secret, value) };
}

function resolveSecret(source: OutboundCredential['secret'], url: URL, secrets: Secrets): string {
  if (typeof source !== 'string') return requireNotEmpty(source.reveal(), 'The secret of this connector is not set.');
  const settings = Object.hasOwn(secrets, source) ? secrets[source] : undefined;
  if (settings === undefined)
    throw permanentError('outbound_secret_unknown', `There is no secret "${source}". Add it to Connectors:Secrets.`);
  if (!matchesHostPattern(url, settings.Hosts)) {
    throw permanentError(
      'outbound_secret_not_for_host',
      `The secret "${source}" may not be sent to ${url.host}. To allow it, add the host to Connectors:Secrets:${source}:Hosts.`,
    );
  }
  return requireNotEmpty(
    settings.Value.reveal(),
    `The secret "${source}" is not set: its Value in Connectors:Secrets is empty.`,
  );
}

function requireNotEmpty(value: string, message: string): string {
  if (value === '') throw permanentError('outbound_secret_unknown', message);
  return value;
}

function toHeader(credential: OutboundCredential, secret: string): { name: string; value: string } {
  switch (credential.type) {
    case 'bearer':
      return { name: 'authorization', value: `Bearer ${secret}` };
    case 'basic':
      return {
        name: 'authorization',
        value: `Basic ${Buffer.from(`${credential.username}:${secret}`).toString('base64')}`,
      };
    case 'header':
      return { name: credential.name, value: secret };
  }
}

/** Minimum length of a secret form that is redacted. Shorter strings occur by chance in unrelated text. */
const MIN_SECRET_LENGTH = 6;

/** Returns the forms in which a service might send a secret back. */
function listSecretForms(secret: string, headerValue: string): string[] {
  const forms = [
    secret,
    headerValue.replace(/^(Basic|Bearer) /, ''),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ];
  return [...new Set(forms)].filter((form) => form.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length);
}

/** Redacts the secrets in text. */
export function redactString(text: string, secretForms: readonly string[]): string {
  return secretForms.reduce((redacted, form) => redacted.replaceAll(form, '[secret]'), text);
}

/** Redacts the secrets in bytes. */
export function redactBytes(bytes: Buffer, secretForms: readonly string[]): Buffer {
  const present = secretForms.filter((form) => bytes.includes(form));
  if (present.length === 0) return bytes;
  // Latin-1 maps each byte to one character, whatever the encoding of the text.
  const forms = present.map((form) => Buffer.from(form).toString('latin1'));
  return Buffer.from(redactString(bytes.toString('latin1'), forms), 'latin1');
}

/** Redacts secrets in bytes that arrive in chunks. A secret may be split between chunks. */
export class SecretRedactor {
  #pending: Buffer = Buffer.alloc(0);
  readonly #forms: readonly Buffer[];

  constructor(private readonly secretForms: readonly string[]) {
    this.#forms = secretForms.map((form) => Buffer.from(form));
  }

  /** Returns the bytes that are safe to show: all but a tail that may be the start of a secret. */
  push(chunk: Buffer): Buffer {
    const redacted = redactBytes(
      this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]),
      this.secretForms,
    );
    const pendingLength = Math.max(0, ...this.#forms.map((form) => partialMatchLength(redacted, form)));
    this.#pending = redacted.subarray(redacted.length - pendingLength);
    return redacted.subarray(0, redacted.length - pendingLength);
  }

  /** Returns the bytes held back, at the end of the data. */
  end(): Buffer {
    return this.#pending;
  }
}

/** Returns the length of the longest proper prefix of the form with which the bytes end. */
function partialMatchLength(bytes: Buffer, form: Buffer): number {
  const first = form[0] ?? 0;
  const start = Math.max(0, bytes.length - form.length + 1);
  for (let position = bytes.indexOf(first, start); position >= 0; position = bytes.indexOf(first, position + 1))
    if (bytes.compare(form, 0, bytes.length - position, position) === 0) return bytes.length - position;
  return 0;
}
