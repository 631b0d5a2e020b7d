import { said } from './said.js';
import { type Answer, BegunCall, checkFinished, stateOf, UnfinishedCall } from './unfinished-call.js';
import { pause } from './waiting.js';

/** Maximum number of repeated requests before a result, and the pause between two of them. */
const MAX_ROUNDS = 10;
const ROUND_PAUSE_MS = 250;

/**
 * Requests the result of a call.
 *
 * @param state the state that the server wants back
 */
export type Ask = (state?: string) => Promise<Answer>;

/**
 * Calls a tool of a server of MCP 2026-07-28, which may request repeated requests with its state until it returns the
 * result ("Multi Round-Trip Requests").
 *
 * @throws {UnfinishedCall} if the server returns something else
 * @throws {BegunCall} for any failure after the server has requested a repeat
 */
export async function callInRounds(ask: Ask, signal: AbortSignal): Promise<Answer> {
  const answer = await ask();
  const state = stateOf(answer);
  if (state !== undefined)
    return resume(ask, state, signal).catch((cause: unknown) => {
      throw new BegunCall(`The server had started the call. ${said(cause)}`, { cause });
    });
  checkFinished(answer);
  return answer;
}

async function resume(ask: Ask, begun: string, signal: AbortSignal): Promise<Answer> {
  let state = begun;
  for (let round = 1; ; round += 1) {
    await pause(ROUND_PAUSE_MS, signal);
    const answer = await ask(state);
    const next = stateOf(answer);
    if (next === undefined) {
      checkFinished(answer);
      return answer;
    }
    if (round === MAX_ROUNDS)
      throw new UnfinishedCall(`The server requested more than ${MAX_ROUNDS} repeats of the call.`, false);
    state = next;
  }
}
