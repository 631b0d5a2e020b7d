import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { OutboundCredential } from '@countersign/core/plugin';
import type { OutboundConfiguration } from './configuration.js';
import { mayHoldCredential } from './check-request.js';
import { refused } from './failures.js';
import { fitsHost } from './host-patterns.js';

type Secrets = OutboundConfiguration['Connectors']['Secrets'];

/** A credential ready to be sent: a header, and the texts to remove from the response. */
export interface PlacedCredential {
  readonly name: string;
  readonly value: string;
  readonly hidden: readonly string[];
}

/**
 * Resolves the secret of a credential for one host.
 *
 * @throws {OutboundHttpError} `outbound_secret_unknown`, `outbound_secret_not_for_host`, `outbound_secret_in_clear`,
 * `outbound_request_invalid`
 */
export function placeCredential(
  credential: OutboundCredential,
  url: URL,
  isPublic: boolean,
  secrets: Secrets,
): PlacedCredential {
  if (url.protocol !== 'https:' && isPublic) {
    throw refused('outbound_secret_in_clear', `A secret is not sent to ${url.host} without encryption. Use https.`);
  }
  const secret = reveal(credential.secret, url, secrets);
  const { name, value } = asHeader(credential, secret);
  if (!mayHoldCredential(name))
    throw refused(
      'outbound_request_invalid',
      `A secret cannot be sent in the header "${name}", because it controls the framing or routing of the request.`,
    );
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    // Without the cause, because it would reveal the secret.
    throw refused(
      'outbound_request_invalid',
      `The secret for ${url.host} cannot be sent as a header: it contains characters that headers must not contain.`,
    );
  }
  return { name: name.toLowerCase(), value, hidden: hiddenForms(secret, value) };
}

function reveal(source: OutboundCredential['secret'], url: URL, secrets: Secrets): string {
  if (typeof source !== 'string') return notEmpty(source.reveal(), 'The secret of this connector is not set.');
  const found = Object.hasOwn(secrets, source) ? secrets[source] : undefined;
  if (found === undefined)
    throw refused('outbound_secret_unknown', `There is no secret "${source}". Add it to Connectors:Secrets.`);
  if (!fitsHost(url, found.Hosts)) {
    throw refused(
      'outbound_secret_not_for_host',
      `The secret "${source}" may not be sent to ${url.host}. To allow it, add the host to Connectors:Secrets:${source}:Hosts.`,
    );
  }
  return notEmpty(found.Value.reveal(), `The secret "${source}" is not set: its Value in Connectors:Secrets is empty.`);
}

function notEmpty(value: string, message: string): string {
  if (value === '') throw refused('outbound_secret_unknown', message);
  return value;
}

function asHeader(credential: OutboundCredential, secret: string): { name: string; value: string } {
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

/** Minimum length of a hidden text. Shorter texts occur by chance in unrelated text. */
const SHORTEST_HIDDEN = 6;

/** Returns the forms in which a service might send a secret back. */
function hiddenForms(secret: string, header: string): string[] {
  const forms = [
    secret,
    header.replace(/^(Basic|Bearer) /, ''),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_HIDDEN).sort((a, b) => b.length - a.length);
}

/** Removes the secrets from text. */
export function redactString(text: string, hidden: readonly string[]): string {
  return hidden.reduce((shown, form) => shown.replaceAll(form, '[secret]'), text);
}

/** Removes the secrets from bytes. */
export function hideInBytes(bytes: Buffer, hidden: readonly string[]): Buffer {
  const present = hidden.filter((form) => bytes.includes(form));
  if (present.length === 0) return bytes;
  // Latin-1 maps each byte to one character, whatever the encoding of the text.
  const forms = present.map((form) => Buffer.from(form).toString('latin1'));
  return Buffer.from(redactString(bytes.toString('latin1'), forms), 'latin1');
}

/** Removes secrets from bytes that arrive in chunks. A secret may be split between chunks. */
export class SecretFilter {
  #held: Buffer = Buffer.alloc(0);
  readonly #forms: readonly Buffer[];

  constructor(private readonly hidden: readonly string[]) {
    this.#forms = hidden.map((form) => Buffer.from(form));
  }

  /** Returns the bytes that are safe to show: all but a tail that may be the start of a secret. */
  push(chunk: Buffer): Buffer {
    const shown = hideInBytes(this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]), this.hidden);
    const held = Math.max(0, ...this.#forms.map((form) => beginningAtEnd(shown, form)));
    this.#held = shown.subarray(shown.length - held);
    return shown.subarray(0, shown.length - held);
  }

  /** Returns the bytes held back, at the end of the data. */
  end(): Buffer {
    return this.#held;
  }
}

/** Returns the number of bytes at the end that are the start of a form, but not all of it. */
function beginningAtEnd(bytes: Buffer, form: Buffer): number {
  const first = form[0] ?? 0;
  const least = Math.max(0, bytes.length - form.length + 1);
  for (let at = bytes.indexOf(first, least); at >= 0; at = bytes.indexOf(first, at + 1))
    if (bytes.compare(form, 0, bytes.length - at, at) === 0) return bytes.length - at;
  return 0;
}
