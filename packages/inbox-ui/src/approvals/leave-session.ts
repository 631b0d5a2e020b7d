import { hasUnsavedWork } from '../ui/ask-before-leaving.js';

type LeaveAction = () => void;

/** Asks the user; set while a session is displayed. */
let leavePrompt: ((leave: LeaveAction) => void) | undefined;

/**
 * Signs out or changes servers. Asks first if pending votes would be lost.
 *
 * @param leave performs it
 */
export function leaveSession(leave: LeaveAction): void {
  if (leavePrompt !== undefined && hasUnsavedWork()) leavePrompt(leave);
  else leave();
}

/**
 * Sets the handler that asks before leaving.
 *
 * @param showPrompt shows the prompt
 * @returns a function that removes the handler
 */
export function setLeavePrompt(showPrompt: (leave: LeaveAction) => void): () => void {
  leavePrompt = showPrompt;
  return () => {
    if (leavePrompt === showPrompt) leavePrompt = undefined;
  };
}
