import { said } from './said.js';
import { type Answer, BegunCall, checkFinished, stateOf, UnfinishedCall } from './unfinished-call.js';
import { pause } from './waiting.js';

/** How often a server may want to be asked again before it gives a result, and how long it is left alone in between. */
const MAX_ROUNDS = 10;
const ROUND_PAUSE_MS = 250;

/** Asks a server for the result of a call. @param state what it wants to be reminded of */
export type Ask = (state?: string) => Promise<Answer>;

/**
 * Calls a tool of a server of MCP 2026-07-28, which may want to be asked again, with its state, until it gives the result
 * ("Multi Round-Trip Requests").
 *
 * @throws {UnfinishedCall} where the server gives something else
 * @throws {BegunCall} whatever happens after it wanted to be asked again
 */
export async function callInRounds(ask: Ask, signal: AbortSignal): Promise<Answer> {
  const answer = await ask();
  const state = stateOf(answer);
  if (state !== undefined)
    return resume(ask, state, signal).catch((cause: unknown) => {
      throw new BegunCall(`It had begun with the call. ${said(cause)}`, { cause });
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
      throw new UnfinishedCall(`It wants to be asked again more than ${MAX_ROUNDS} times.`, false);
    state = next;
  }
}
