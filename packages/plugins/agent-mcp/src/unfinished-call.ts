import { isJsonObject } from '@countersign/model';
import { quoted } from './said.js';

/** What a server has said to a call. */
export type Answer = Readonly<Record<string, unknown>>;

const MAX_REQUESTS = 10;
/** Of what a server wants to be reminded of, in characters. */
const MAX_STATE = 65_536;

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

/** A call has failed after the server had begun with it: nobody knows what it has done. */
export class BegunCall extends Error {}

/**
 * What a server wants to be reminded of when it is asked again, which is all that it asks for (MCP 2026-07-28, "Multi
 * Round-Trip Requests"); `undefined` where it does not.
 */
export function stateOf({ resultType, requestState, inputRequests }: Answer): string | undefined {
  if (resultType !== 'input_required' || typeof requestState !== 'string' || requestState.length > MAX_STATE)
    return undefined;
  return asksForSomething(inputRequests) ? undefined : requestState;
}

function asksForSomething(inputRequests: unknown): boolean {
  return isJsonObject(inputRequests) && Object.keys(inputRequests).length > 0;
}

/** @throws {UnfinishedCall} where a server of MCP 2026-07-28 or later has not given the result of a call */
export function checkFinished({ resultType, inputRequests }: Answer): void {
  if (resultType === undefined || resultType === null || resultType === 'complete') return;
  if (resultType === 'input_required')
    throw asksForSomething(inputRequests)
      ? new UnfinishedCall(askedFor(inputRequests), true)
      : new UnfinishedCall(`It gave no requestState of at most ${MAX_STATE} characters to go on with.`, false);
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
  return `It asks for what agents can’t give: ${requests.join(', ')}.`;
}
