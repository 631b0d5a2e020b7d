import { isJsonObject } from '@countersign/model';
import { quote } from './error-message.js';

/** A server's response to a call. */
export type CallResponse = Readonly<Record<string, unknown>>;

const MAX_REQUESTS = 10;
/** Maximum length of a `requestState`, in characters. */
const MAX_STATE_LENGTH = 65_536;

/** Thrown when a server responds to a call with something other than its result (MCP 2026-07-28, "Result Types"). */
export class UnfinishedCallError extends Error {
  /** @param requestsInput whether the call is unfinished because the server requests input */
  constructor(
    message: string,
    readonly requestsInput: boolean,
  ) {
    super(message);
  }
}

/** Thrown when a call fails after the server has started it, so that its outcome is unknown. */
export class StartedCallError extends Error {}

/**
 * Returns the `requestState` that a server requires in a repeated request, if it requests nothing else (MCP 2026-07-28,
 * "Multi Round-Trip Requests"); otherwise `undefined`.
 */
export function findRequestState({ resultType, requestState, inputRequests }: CallResponse): string | undefined {
  if (resultType !== 'input_required' || typeof requestState !== 'string' || requestState.length > MAX_STATE_LENGTH)
    return undefined;
  return hasInputRequests(inputRequests) ? undefined : requestState;
}

function hasInputRequests(inputRequests: unknown): boolean {
  return isJsonObject(inputRequests) && Object.keys(inputRequests).length > 0;
}

/**
 * Checks that a response is the result of a call.
 *
 * @throws {UnfinishedCallError} if a server of MCP 2026-07-28 or later has not returned the result
 */
export function assertFinished({ resultType, inputRequests }: CallResponse): void {
  if (resultType === undefined || resultType === null || resultType === 'complete') return;
  if (resultType === 'input_required')
    throw hasInputRequests(inputRequests)
      ? new UnfinishedCallError(describeRequestedInput(inputRequests), true)
      : new UnfinishedCallError(
          `Continuing the call requires a requestState of at most ${MAX_STATE_LENGTH} characters, but the server sent none.`,
          false,
        );
  throw new UnfinishedCallError(
    `The server returned a result of an unsupported type: ${quote(typeof resultType === 'string' ? resultType : typeof resultType)}.`,
    false,
  );
}

function describeRequestedInput(inputRequests: unknown): string {
  const requests = (isJsonObject(inputRequests) ? Object.values(inputRequests) : [])
    .slice(0, MAX_REQUESTS)
    .map((request) => {
      const { method, params } = isJsonObject(request) ? request : {};
      const message = isJsonObject(params) ? params['message'] : undefined;
      const kind = typeof method === 'string' ? method : 'unknown request';
      return typeof message === 'string' ? `${kind} (${quote(message)})` : kind;
    });
  return `The server requests input that agents cannot provide: ${requests.join(', ')}.`;
}
