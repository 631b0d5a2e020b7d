import { isJsonObject } from '@countersign/model';
import { quoted } from './said.js';

const MAX_REQUESTS = 10;

/** A server has answered a call with something else than its result (MCP 2026-07-28, "Result Types"). */
export class UnfinishedCall extends Error {
  /** @param asksForInput whether the call is not finished because of what the server wants to know */
  constructor(
    message: string,
    readonly asksForInput: boolean,
  ) {
    super(message);
  }
}

/** @throws {UnfinishedCall} where a server of MCP 2026-07-28 or later has not given the result of a call */
export function checkFinished({ resultType, inputRequests }: Readonly<Record<string, unknown>>): void {
  if (resultType === undefined || resultType === null || resultType === 'complete') return;
  if (resultType === 'input_required') throw new UnfinishedCall(askedFor(inputRequests), true);
  throw new UnfinishedCall(
    `It gave a result of a type that is not supported: ${quoted(typeof resultType === 'string' ? resultType : typeof resultType)}.`,
    false,
  );
}

function askedFor(given: unknown): string {
  const requests = (isJsonObject(given) ? Object.values(given) : []).slice(0, MAX_REQUESTS).map((request) => {
    const { method, params } = isJsonObject(request) ? request : {};
    const message = isJsonObject(params) ? params['message'] : undefined;
    const kind = typeof method === 'string' ? method : 'something';
    return typeof message === 'string' ? `${kind} (${quoted(message)})` : kind;
  });
  return `It asks for what agents can’t give${requests.length === 0 ? '' : `: ${requests.join(', ')}`}.`;
}
