import { type OutboundCredential, type OutboundRequest, TerminalFailure } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import type { HttpInput } from './http-input.js';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type RequestInput = Pick<HttpInput, 'method' | 'url' | 'query' | 'headers' | 'body' | 'authentication'>;
type HttpRequest = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body' | 'credential'>;

/** Builds the request for an input. A request that may change something carries the idempotency key. */
export function buildRequest(input: RequestInput, idempotencyKey: string): HttpRequest {
  const { method, authentication } = input;
  const headers = Object.fromEntries(
    Object.entries(input.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { body, type } = buildBody(input, headers['content-type']);
  const credential = toCredential(authentication);
  if (credential?.type === 'header' && credential.name.toLowerCase() in headers) {
    throw new TerminalFailure(
      'connector_input_invalid',
      `At "/headers": "${credential.name}" is set twice, as a header and as the authentication.`,
    );
  }
  return {
    method,
    url: buildUrl(input),
    headers: {
      ...(SAFE_METHODS.has(method) ? {} : { 'idempotency-key': idempotencyKey }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(credential === undefined ? {} : { credential }),
  };
}

function buildUrl({ url: urlText, query }: RequestInput): string {
  if (!URL.canParse(urlText))
    throw new TerminalFailure(
      'connector_input_invalid',
      'At "/url": this is not an absolute URL. Start it with https://.',
    );
  const url = new URL(urlText);
  for (const [name, values] of Object.entries(query ?? {})) {
    for (const value of Array.isArray(values) ? values : [values])
      if (value !== null) url.searchParams.append(name, String(value));
  }
  return url.href;
}

function buildBody(
  { method, body }: RequestInput,
  contentType: string | undefined,
): { readonly body?: string; readonly type?: string } {
  if (body === undefined || body === null) return {};
  if (method === 'GET' || method === 'HEAD')
    throw new TerminalFailure('connector_input_invalid', `At "/body": a ${method} request cannot have a body.`);
  if (typeof body === 'string') return { body, type: 'text/plain; charset=utf-8' };
  if (contentType !== undefined && /^application\/x-www-form-urlencoded\b/i.test(contentType))
    return { body: encodeForm(body) };
  return { body: JSON.stringify(body), type: 'application/json' };
}

function encodeForm(body: unknown): string {
  if (!isJsonObject(body))
    throw new TerminalFailure('connector_input_invalid', 'At "/body": the body of a form must be a context.');
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries(body)) {
    for (const value of Array.isArray(values) ? values : [values]) {
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

function toCredential(authentication: HttpInput['authentication']): OutboundCredential | undefined {
  return authentication.type === 'none' ? undefined : authentication;
}
