import { losesByLeaving } from '../ui/ask-before-leaving.js';

type Leave = () => void;

/** What asks the person; set while a session is shown. */
let ask: ((leave: Leave) => void) | undefined;

/**
 * Signs out or changes servers; asks first where decisions on their way would be lost by that.
 *
 * @param leave does it
 */
export function leaveSession(leave: Leave): void {
  if (ask !== undefined && losesByLeaving()) ask(leave);
  else leave();
}

/** @param asks shows the question @returns ends that */
export function answerLeaving(asks: (leave: Leave) => void): () => void {
  ask = asks;
  return () => {
    if (ask === asks) ask = undefined;
  };
}
