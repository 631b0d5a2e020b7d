import { type Json, type OutboundResponse, RetryableFailure, TerminalFailure } from '@countersign/core/plugin';
import { InexactNumberError, parseExactJson, parseInexactAsText } from '@countersign/model';
import type { HttpInput, HttpOutput } from './http-input.js';

/** Returns the error for the status of a response; `undefined` if the response is a result. */
export function toFailure(
  response: OutboundResponse,
  { resultOn, retryOn }: HttpInput,
  now: number,
): Error | undefined {
  const { status } = response;
  if ((status >= 200 && status < 300) || resultOn.includes(status)) return undefined;
  const code = `http_status_${status}`;
  const message = `${new URL(response.url).host} responded with status ${status}.`;
  return retryOn.includes(status)
    ? new RetryableFailure(code, message, parseRetryAfter(response.headers['retry-after'], now))
    : new TerminalFailure(code, message);
}

/** Maximum delay that is accepted from `Retry-After`. */
const MAX_WAIT_MS = 24 * 3_600_000;

/** Converts `Retry-After` (RFC 9110, 10.2.3: seconds or a date) to milliseconds. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_WAIT_MS);
}

const JSON_TYPE = /^(application|text)\/([\w.-]+\+)?json$/;
const TEXT_TYPE = /^text\/|^application\/([\w.-]+\+)?xml$|^application\/(javascript|yaml|x-www-form-urlencoded)$/;

/**
 * Converts a response to the form that the run stores.
 *
 * @throws {TerminalFailure} `http_body_unreadable` or `http_number_not_exact`; not retryable, because another call
 *   could repeat the effect
 */
export function toHttpOutput(
  { status, headers, body, url }: OutboundResponse,
  inexactNumbers: HttpInput['inexactNumbers'] = 'refuse',
): HttpOutput {
  const parse = (text: string): Json => parseResponse(text, new URL(url).host, inexactNumbers);
  return { status, headers: { ...headers }, ...readBody(body, headers['content-type'] ?? '', parse) };
}

function readBody(
  body: Buffer,
  contentType: string,
  parse: (text: string) => Json,
): Pick<HttpOutput, 'body' | 'bodyType'> {
  if (body.length === 0) return { body: null, bodyType: 'none' };
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (JSON_TYPE.test(type)) return { body: parse(body.toString('utf8')), bodyType: 'json' };
  const charset =
    parameters
      .find((parameter) => parameter.startsWith('charset='))
      ?.slice('charset='.length)
      .replaceAll('"', '') ?? 'utf-8';
  const text = TEXT_TYPE.test(type) ? decode(body, charset) : undefined;
  return text === undefined ? { body: body.toString('base64'), bodyType: 'binary' } : { body: text, bodyType: 'text' };
}

function parseResponse(text: string, host: string, inexactNumbers: HttpInput['inexactNumbers']): Json {
  try {
    return (inexactNumbers === 'text' ? parseInexactAsText(text) : parseExactJson(text)) as Json;
  } catch (error) {
    if (error instanceof InexactNumberError)
      throw new TerminalFailure(
        'http_number_not_exact',
        `${host} returned a number that a variable cannot hold exactly, at "${error.problem.pointer}" of its body. To get it as text, set the input inexactNumbers to "text".`,
      );
    // Without the cause, because it quotes the body.
    throw new TerminalFailure(
      'http_body_unreadable',
      `${host} declares its response as JSON, but it is not valid JSON.`,
    );
  }
}

function decode(body: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return undefined;
  }
}
