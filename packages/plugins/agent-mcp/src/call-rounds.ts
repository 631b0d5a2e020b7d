import { errorMessage } from './error-message.js';
import {
  type CallResponse,
  StartedCallError,
  assertFinished,
  findRequestState,
  UnfinishedCallError,
} from './unfinished-call.js';
import { pause } from './pause.js';

/** Maximum number of repeated requests before a result, and the pause between two of them. */
const MAX_ROUNDS = 10;
const ROUND_PAUSE_MS = 250;

/**
 * Requests the result of a call.
 *
 * @param state the state that the server wants back
 */
export type SendCall = (state?: string) => Promise<CallResponse>;

/**
 * Calls a tool of a server of MCP 2026-07-28, which may request repeated requests with its state until it returns the
 * result ("Multi Round-Trip Requests").
 *
 * @throws {UnfinishedCallError} if the server returns something else
 * @throws {StartedCallError} for any failure after the server has requested a repeat
 */
export async function callInRounds(sendCall: SendCall, signal: AbortSignal): Promise<CallResponse> {
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
  for (let round = 1; ; round += 1) {
    await pause(ROUND_PAUSE_MS, signal);
    const response = await sendCall(state);
    const nextState = findRequestState(response);
    if (nextState === undefined) {
      assertFinished(response);
      return response;
    }
    if (round === MAX_ROUNDS)
      throw new UnfinishedCallError(`The server requested more than ${MAX_ROUNDS} repeats of the call.`, false);
    state = nextState;
  }
}
