import { ApiError, type JsonObject, type WebhookDelivery } from '@countersign/core/plugin';
import { isJsonObject, parseInexactAsText } from '@countersign/model';
import { invalidEvent } from './host-event.js';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Refuses content types other than JSON, because hosts can also send the JSON as a form field.
 *
 * @throws {ApiError} `unsupported_media_type`
 */
export function requireJson(header: WebhookDelivery['header']): void {
  const type = header('Content-Type');
  if (type === undefined || JSON_TYPE.test(type)) return;
  throw new ApiError(
    'unsupported_media_type',
    'Only JSON is accepted. On the code host, set the content type of the webhook to "application/json".',
  );
}

/**
 * Parses a body. Numbers that a variable cannot hold exactly are converted to strings and not refused, because most of
 * a body is not used, and no user can change what a host sends.
 *
 * @throws {ApiError} `invalid_event`
 */
export function parseBody(body: Buffer): JsonObject {
  let parsed: unknown;
  try {
    parsed = parseInexactAsText(UTF_8.decode(body));
  } catch {
    throw invalidEvent('The body is not JSON in UTF-8.');
  }
  if (!isJsonObject(parsed)) throw invalidEvent('The body is not a JSON object.');
  return parsed;
}
