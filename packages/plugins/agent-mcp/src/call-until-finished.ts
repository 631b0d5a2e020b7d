import { errorMessage } from './error-message.js';
import {
  type CallResponse,
  StartedCallError,
  assertFinished,
  findRequestState,
  UnfinishedCallError,
} from './unfinished-call.js';
import { pause } from './pause.js';

/** Maximum number of repeated requests per call. */
const MAX_ROUND_TRIPS = 10;
/** Pause before each repeated request. */
const ROUND_TRIP_PAUSE_MS = 250;

/**
 * Sends a call.
 *
 * @param state the `requestState` of the previous response, which the server requires in a repeated request
 */
export type SendCall = (state?: string) => Promise<CallResponse>;

/**
 * Calls a tool on an MCP 2026-07-28 server, which may require the client to repeat the request with the returned
 * `requestState` until the result is available ("Multi Round-Trip Requests").
 *
 * @throws {UnfinishedCallError} if the first response is neither a result nor a request to repeat the call
 * @throws {StartedCallError} for any failure after the server has requested a repeat, including too many repeats
 */
export async function callUntilFinished(sendCall: SendCall, signal: AbortSignal): Promise<CallResponse> {
  const response = await sendCall();
  const state = findRequestState(response);
  if (state !== undefined)
    return repeatUntilFinished(sendCall, state, signal).catch((cause: unknown) => {
      throw new StartedCallError(`The server had started the call. ${errorMessage(cause)}`, { cause });
    });
  assertFinished(response);
  return response;
}

async function repeatUntilFinished(
  sendCall: SendCall,
  initialState: string,
  signal: AbortSignal,
): Promise<CallResponse> {
  let state = initialState;
  for (let roundTrip = 1; ; roundTrip += 1) {
    await pause(ROUND_TRIP_PAUSE_MS, signal);
    const response = await sendCall(state);
    const nextState = findRequestState(response);
    if (nextState === undefined) {
      assertFinished(response);
      return response;
    }
    if (roundTrip === MAX_ROUND_TRIPS)
      throw new UnfinishedCallError(`The server requested more than ${MAX_ROUND_TRIPS} repeats of the call.`, false);
    state = nextState;
  }
}
