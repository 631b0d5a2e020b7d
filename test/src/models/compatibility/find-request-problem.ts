import type { Json, JsonObject } from '@countersign/core';
import { isJsonObject } from '@countersign/model';
import { isDeepStrictEqual } from 'node:util';
import { LOOP_CALLS } from './api.js';

export interface MessageChecks {
  /** Ids of the calls of each turn, sent back unchanged; if left out, the API provides none. */
  readonly ids?: readonly (readonly string[])[];
  /** Members sent back with the message of each turn, besides role, content and calls. */
  readonly message?: readonly JsonObject[];
  /** Content sent back for each turn; if left out, a string or nothing. */
  readonly content?: readonly (Json | null)[];
  /** Members sent back with each call, besides id, type and function. */
  readonly calls?: readonly (readonly JsonObject[])[];
  /** Members sent back with each function, besides name and arguments. */
  readonly functions?: readonly (readonly JsonObject[])[];
  /** Known members of the request. */
  readonly members?: readonly string[];
}

const ALLOWED_MEMBERS = [
  ...['model', 'messages', 'tools', 'stream', 'stream_options', 'response_format'],
  ...['max_tokens', 'max_completion_tokens'],
];

/** Returns why a strict server of the Chat Completions API would refuse this request; `undefined` if it accepts it. */
export function findRequestProblem(
  body: JsonObject,
  { members = ALLOWED_MEMBERS, ...checks }: MessageChecks,
): string | undefined {
  const unknownMember = Object.keys(body).find((name) => !members.includes(name));
  if (unknownMember !== undefined) return `Unrecognized request argument supplied: ${unknownMember}`;
  if (body['stream'] !== true || !Array.isArray(body['messages'])) return 'Expected a stream of messages.';
  const [system, user, ...rest] = body['messages'] as readonly JsonObject[];
  if (system?.['role'] !== 'system' || user?.['role'] !== 'user')
    return 'Expected a system message and a user message.';
  let openCallIds: readonly string[] = [];
  let turn = -1;
  for (const each of rest) {
    const { role, content, ...messageFields } = each;
    if (role === 'tool') {
      const [expectedCallId, ...otherCallIds] = openCallIds;
      if (messageFields['tool_call_id'] !== expectedCallId)
        return `Unexpected tool call id ${String(messageFields['tool_call_id'])} in tool results.`;
      if (typeof content !== 'string' || content === '')
        return 'The content of a tool message must be a string that is not empty.';
      const unexpectedMember = Object.keys(messageFields).find((name) => name !== 'tool_call_id');
      if (unexpectedMember !== undefined) return `messages: ${unexpectedMember}: Extra inputs are not permitted`;
      openCallIds = otherCallIds;
      continue;
    }
    if (role !== 'assistant') return `Unexpected role '${String(role)}' after role 'tool'.`;
    if (openCallIds.length > 0)
      return `Not the same number of function calls and responses: ${openCallIds.join(', ')} has none.`;
    turn += 1;
    const { tool_calls: sentCalls, ...otherFields } = messageFields;
    if (!isDeepStrictEqual(otherFields, checks.message?.[turn] ?? {}))
      return `messages: the additional members of turn ${turn + 1} must come back unchanged, not as ${JSON.stringify(otherFields)}`;
    const expectedContent = checks.content?.[turn] ?? null;
    if (
      expectedContent === null
        ? typeof content === 'object' && content !== null
        : !isDeepStrictEqual(content, expectedContent)
    )
      return `messages: the content of turn ${turn + 1} must come back unchanged, not as ${JSON.stringify(content)}`;
    const callsProblem = findCallProblem(turn, sentCalls, checks);
    if (callsProblem !== undefined) return callsProblem;
    openCallIds = (sentCalls as readonly JsonObject[]).map(({ id }) => String(id));
  }
  if (openCallIds.length > 0)
    return `An assistant message with 'tool_calls' must be followed by tool messages: ${openCallIds.join(', ')}`;
  return undefined;
}

function findCallProblem(
  turn: number,
  sentCalls: unknown,
  { ids, calls, functions }: MessageChecks,
): string | undefined {
  const expectedCalls = LOOP_CALLS[turn] ?? [];
  if (!Array.isArray(sentCalls) || sentCalls.length !== expectedCalls.length)
    return `messages: turn ${turn + 1} must have ${expectedCalls.length} calls.`;
  const all = sentCalls as readonly JsonObject[];
  if (new Set(all.map(({ id }) => id)).size < all.length) return 'Duplicate tool call ids.';
  for (const [index, { id, type, function: called, ...callFields }] of all.entries()) {
    if (typeof id !== 'string' || id === '' || id !== (ids?.[turn]?.[index] ?? id))
      return `Unknown tool call id: ${String(id)}`;
    if (type !== 'function' || !isJsonObject(called)) return 'Invalid tool call: it has no function.';
    const { name, arguments: argumentsText, ...functionFields } = called as JsonObject;
    if (name !== expectedCalls[index]?.name || typeof argumentsText !== 'string')
      return `Invalid tool call: ${JSON.stringify(called)}`;
    if (!isDeepStrictEqual(JSON.parse(argumentsText), expectedCalls[index]?.arguments))
      return `Invalid arguments of a tool call: ${argumentsText}`;
    if (!isDeepStrictEqual(callFields, calls?.[turn]?.[index] ?? {}))
      return `tool_calls[${index}] of turn ${turn + 1} must come back unchanged, not with ${JSON.stringify(callFields)}`;
    if (!isDeepStrictEqual(functionFields, functions?.[turn]?.[index] ?? {}))
      return `The function of tool_calls[${index}] must come back unchanged, not with ${JSON.stringify(functionFields)}`;
  }
  return undefined;
}
