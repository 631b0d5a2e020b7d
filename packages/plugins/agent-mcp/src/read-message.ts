import { type JSONRPCMessage, isSpecType } from '@modelcontextprotocol/client';
import { isJsonObject } from '@countersign/model';

/** Members of a message at its top; JSON-RPC 2.0 has five. Of more, each would be a fault to tell of. */
const MAX_MEMBERS = 10;

/** A message of JSON-RPC, as the SDK takes it; `undefined` where a text is none. */
export function readMessage(text: string): JSONRPCMessage | undefined {
  return asMessage(parsed(text));
}

/** What a text of JSON says; `undefined` where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function asMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isJsonObject(value) || Object.keys(value).length > MAX_MEMBERS) return undefined;
  return isSpecType.JSONRPCMessage(value) ? value : undefined;
}

/** Whether it answers a request. As the SDK takes it, a text may be the number that was asked with. */
export function isAnswerTo(message: unknown, id: string | number): boolean {
  return isJsonObject(message) && !('method' in message) && 'id' in message && String(message['id']) === String(id);
}
