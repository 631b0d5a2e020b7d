import { type OutboundCredential, type OutboundRequest, TerminalFailure } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import type { HttpInput } from './http-input.js';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type Call = Pick<HttpInput, 'method' | 'url' | 'query' | 'headers' | 'body' | 'authentication'>;
type Outgoing = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body' | 'credential'>;

/** Builds the request for an input. A request that may change something carries the idempotency key. */
export function outgoing(input: Call, idempotencyKey: string): Outgoing {
  const { method, authentication } = input;
  const given = Object.fromEntries(
    Object.entries(input.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { body, type } = bodyOf(input, given['content-type']);
  const credential = credentialOf(authentication);
  if (credential?.type === 'header' && credential.name.toLowerCase() in given) {
    throw new TerminalFailure(
      'connector_input_invalid',
      `At "/headers": "${credential.name}" is set twice, as a header and as the authentication.`,
    );
  }
  return {
    method,
    url: withQuery(input),
    headers: {
      ...(SAFE.has(method) ? {} : { 'idempotency-key': idempotencyKey }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...given,
    },
    ...(body === undefined ? {} : { body }),
    ...(credential === undefined ? {} : { credential }),
  };
}

function withQuery({ url: text, query }: Call): string {
  if (!URL.canParse(text))
    throw new TerminalFailure(
      'connector_input_invalid',
      'At "/url": this is not an absolute URL. Start it with https://.',
    );
  const url = new URL(text);
  for (const [name, given] of Object.entries(query ?? {})) {
    for (const value of Array.isArray(given) ? given : [given])
      if (value !== null) url.searchParams.append(name, String(value));
  }
  return url.href;
}

function bodyOf(
  { method, body }: Call,
  declared: string | undefined,
): { readonly body?: string; readonly type?: string } {
  if (body === undefined || body === null) return {};
  if (method === 'GET' || method === 'HEAD')
    throw new TerminalFailure('connector_input_invalid', `At "/body": a ${method} request cannot have a body.`);
  if (typeof body === 'string') return { body, type: 'text/plain; charset=utf-8' };
  if (declared !== undefined && /^application\/x-www-form-urlencoded\b/i.test(declared)) return { body: form(body) };
  return { body: JSON.stringify(body), type: 'application/json' };
}

function form(body: unknown): string {
  if (!isJsonObject(body))
    throw new TerminalFailure('connector_input_invalid', 'At "/body": the body of a form must be a context.');
  const fields = new URLSearchParams();
  for (const [name, given] of Object.entries(body)) {
    for (const value of Array.isArray(given) ? given : [given]) {
      if (typeof value === 'object' && value !== null)
        throw new TerminalFailure(
          'connector_input_invalid',
          `At "/body/${name}": a field of a form must be a string, a number or a boolean.`,
        );
      if (value !== null) fields.append(name, String(value));
    }
  }
  return fields.toString();
}

function credentialOf(authentication: HttpInput['authentication']): OutboundCredential | undefined {
  return authentication.type === 'none' ? undefined : authentication;
}
