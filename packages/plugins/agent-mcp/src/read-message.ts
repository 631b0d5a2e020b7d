import { type JSONRPCMessage, isSpecType } from '@modelcontextprotocol/client';
import { isJsonObject, parseInexactAsText } from '@countersign/model';
import type { RequestId } from './pending-requests.js';

/**
 * Maximum number of top-level members of a message; JSON-RPC 2.0 defines six. Each additional member would be a
 * separate validation error.
 */
const MAX_MEMBERS = 10;
/** The code of an error whose server sent none; JSON-RPC 2.0 does not assign this code. */
const DEFAULT_ERROR_CODE = 0;

type JsonObject = Readonly<Record<string, unknown>>;
type ErrorMessage = Extract<JSONRPCMessage, { readonly error: unknown }>;

/**
 * Parses a JSON text, which may start with a byte-order mark; `undefined` if it is not JSON. In structured content,
 * integers that a double cannot represent exactly become strings.
 */
export function tryParseJson(text: string): unknown {
  try {
    const json = text.replace(/^\ufeff/, '');
    const value: unknown = JSON.parse(json);
    return toMessages(value).some(hasStructuredContent) ? toExactNumbers(value, json) : value;
  } catch {
    return undefined;
  }
}

function hasStructuredContent(message: unknown): boolean {
  const result = isJsonObject(message) ? message['result'] : undefined;
  return isJsonObject(result) && typeof result['structuredContent'] === 'object';
}

/** Replaces inexact integers with the strings of the second value. Fractions remain doubles. */
function replaceInexactIntegers(value: unknown, exact: unknown): unknown {
  if (typeof value === 'number') return typeof exact === 'string' && Number.isInteger(value) ? exact : value;
  if (Array.isArray(value))
    return value.map((item, index) => replaceInexactIntegers(item, (exact as readonly unknown[])[index]));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaceInexactIntegers(item, (exact as JsonObject)[name])]),
  );
}

function toExactNumbers(value: unknown, json: string): unknown {
  const exact = toMessages(parseInexactAsText(json));
  const messages = toMessages(value).map((message, index) => {
    if (!isJsonObject(message) || !hasStructuredContent(message)) return message;
    const { result } = exact[index] as JsonObject;
    const originalResult = message['result'] as JsonObject;
    const structuredContent = replaceInexactIntegers(
      originalResult['structuredContent'],
      (result as JsonObject)['structuredContent'],
    );
    return { ...message, result: { ...originalResult, structuredContent } };
  });
  return Array.isArray(value) ? messages : messages[0];
}

/**
 * Returns a JSON-RPC message in the form that the SDK accepts; `undefined` if the value is not a message. The SDK is
 * stricter than some servers: a response that it refuses would be lost although it has arrived.
 */
export function toMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isJsonObject(value) || Object.keys(value).length > MAX_MEMBERS) return undefined;
  const message = normalize(value);
  return isSpecType.JSONRPCMessage(message) ? message : undefined;
}

/** Returns the messages of a JSON value: the value itself, or the items of a batch (MCP 2025-03-26, "Batching"). */
export function toMessages(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/**
 * Returns whether a message is the response to a request. The id may be a string although the request was sent with a
 * number.
 */
export function isResponseTo(message: unknown, id: RequestId): boolean {
  return isJsonObject(message) && (message['method'] ?? null) === null && String(message['id']) === String(id);
}

/** Returns the response to a request among messages. */
export function findResponse(messages: readonly unknown[], id: RequestId): JSONRPCMessage | undefined {
  for (const item of messages) {
    const message = isResponseTo(item, id) ? toMessage(item) : undefined;
    if (message !== undefined) return message;
  }
  return undefined;
}

/**
 * Returns the response to a request from a complete body, which can belong to no other request. An error without an id
 * therefore counts as well.
 */
export function findResponseInBody(messages: readonly unknown[], id: RequestId): JSONRPCMessage | undefined {
  const response = findResponse(messages, id);
  if (response !== undefined) return response;
  const error = findErrorWithoutId(messages);
  return error === undefined ? undefined : { ...error, id };
}

/**
 * Returns an error that is the only message and has no id (JSON-RPC 2.0, section 5: the server could not read the
 * request).
 */
export function findErrorWithoutId(messages: readonly unknown[]): ErrorMessage | undefined {
  const onlyMessage = messages.length === 1 ? toMessage(messages[0]) : undefined;
  return onlyMessage !== undefined && isErrorWithoutId(onlyMessage) ? onlyMessage : undefined;
}

export function isErrorWithoutId(message: JSONRPCMessage): message is ErrorMessage {
  return 'error' in message && message.id === undefined;
}

/** Removes members that are `null`, which some servers write for absent ones. */
function normalize(value: JsonObject): JsonObject {
  const { result, error, ...others } = Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null),
  );
  return {
    ...others,
    ...(result === undefined ? {} : { result: removeMeta(result) }),
    ...(error === undefined ? {} : { error: normalizeError(error) }),
  };
}

/** Removes the metadata of a result, which is not used, so that its form does not matter. */
function removeMeta(result: unknown): unknown {
  if (!isJsonObject(result)) return result;
  const { _meta, ...others } = result;
  return others;
}

/** Normalizes an error: some have no message, or a name instead of a code. */
function normalizeError(error: unknown): JsonObject {
  const { code, message, ...others }: JsonObject = isJsonObject(error) ? error : { message: error };
  const number = typeof code === 'string' && code !== '' ? Number(code) : code;
  const hasNumber = Number.isSafeInteger(number);
  const texts = [hasNumber ? undefined : code, message].filter((each) => typeof each === 'string' && each !== '');
  return {
    ...others,
    code: hasNumber ? number : DEFAULT_ERROR_CODE,
    message: texts.length === 0 ? 'The error has no message.' : texts.join(': '),
  };
}
