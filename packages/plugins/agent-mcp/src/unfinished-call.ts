import { isJsonObject } from '@countersign/model';
import { quoted } from './said.js';

/** A server's response to a call. */
export type Answer = Readonly<Record<string, unknown>>;

const MAX_REQUESTS = 10;
/** Maximum length of the state that a server wants back, in characters. */
const MAX_STATE = 65_536;

/** Thrown when a server responds to a call with something other than its result (MCP 2026-07-28, "Result Types"). */
export class UnfinishedCall extends Error {
  /** @param asksForInput whether the call is unfinished because the server requests input */
  constructor(
    message: string,
    readonly asksForInput: boolean,
  ) {
    super(message);
  }
}

/** Thrown when a call fails after the server has started it, so that its outcome is unknown. */
export class BegunCall extends Error {}

/**
 * Returns the state that a server wants back in a repeated request, if it requests nothing else (MCP 2026-07-28, "Multi
 * Round-Trip Requests"); otherwise `undefined`.
 */
export function stateOf({ resultType, requestState, inputRequests }: Answer): string | undefined {
  if (resultType !== 'input_required' || typeof requestState !== 'string' || requestState.length > MAX_STATE)
    return undefined;
  return asksForSomething(inputRequests) ? undefined : requestState;
}

function asksForSomething(inputRequests: unknown): boolean {
  return isJsonObject(inputRequests) && Object.keys(inputRequests).length > 0;
}

/**
 * Checks that a response is the result of a call.
 *
 * @throws {UnfinishedCall} if a server of MCP 2026-07-28 or later has not returned the result
 */
export function checkFinished({ resultType, inputRequests }: Answer): void {
  if (resultType === undefined || resultType === null || resultType === 'complete') return;
  if (resultType === 'input_required')
    throw asksForSomething(inputRequests)
      ? new UnfinishedCall(askedFor(inputRequests), true)
      : new UnfinishedCall(
          `The server sent no requestState of at most ${MAX_STATE} characters to continue with.`,
          false,
        );
  throw new UnfinishedCall(
    `The server returned a result of an unsupported type: ${quoted(typeof resultType === 'string' ? resultType : typeof resultType)}.`,
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
  return `The server requests input that agents cannot provide: ${requests.join(', ')}.`;
}
