import { losesByLeaving } from '../ui/ask-before-leaving.js';

type Leave = () => void;

/** Asks the user; set while a session is displayed. */
let ask: ((leave: Leave) => void) | undefined;

/**
 * Signs out or changes servers. Asks first if pending votes would be lost.
 *
 * @param leave performs it
 */
export function leaveSession(leave: Leave): void {
  if (ask !== undefined && losesByLeaving()) ask(leave);
  else leave();
}

/**
 * Sets the handler that asks before leaving.
 *
 * @param asks shows the prompt
 * @returns a function that removes the handler
 */
export function answerLeaving(asks: (leave: Leave) => void): () => void {
  ask = asks;
  return () => {
    if (ask === asks) ask = undefined;
  };
}
