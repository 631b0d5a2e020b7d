import { inboundEventBodySchema, type InboundEventBody } from '@countersign/contract';
import { ApiError, type Json } from '@countersign/core/plugin';
import { findJsonProblem, InexactNumberError, parseExactJson, parseInexactAsText } from '@countersign/model';
import type { EventSource } from './configuration.js';

/**
 * Parses the message in a body with a valid signature.
 *
 * @throws {ApiError} `invalid_event`
 */
export function readEvent(body: Buffer, { InexactNumbers }: Pick<EventSource, 'InexactNumbers'>): InboundEventBody {
  const value = parseBody(body, InexactNumbers);
  // This check comes first, because the schema ignores unknown properties.
  const problem = findJsonProblem(value);
  if (problem !== undefined) throw invalidEvent([problem]);
  const { success, data, error } = inboundEventBodySchema.safeParse(value);
  if (success) return data as InboundEventBody;
  throw invalidEvent(
    error.issues.map(({ path, code, message }) => ({
      pointer: path.map((part) => `/${String(part)}`).join(''),
      code,
      message,
    })),
  );
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseBody(body: Buffer, inexactNumbers: EventSource['InexactNumbers']): Json {
  try {
    const text = UTF_8.decode(body);
    return (inexactNumbers === 'text' ? parseInexactAsText(text) : parseExactJson(text)) as Json;
  } catch (cause) {
    if (cause instanceof InexactNumberError)
      throw invalidEvent([cause.problem], 'The event contains a number that a variable cannot hold exactly.');
    throw new ApiError('invalid_event', 'The body is not JSON in UTF-8.', {}, { cause });
  }
}

function invalidEvent(
  errors: readonly { pointer: string; code: string; message: string }[],
  message = 'The body is not an event: it needs a messageName, a correlationKey and a payload.',
): ApiError {
  return new ApiError('invalid_event', message, {
    errors: errors.map(({ pointer, code, message: detail }) => ({ pointer, code, message: detail })),
  });
}
