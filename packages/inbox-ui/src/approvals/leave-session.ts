import { hasUnsavedWork } from '../ui/ask-before-leaving.js';

type LeaveAction = () => void;

/** Prompt that asks the user before leaving; set while a session is displayed. */
let leavePrompt: ((leave: LeaveAction) => void) | undefined;

/**
 * Leaves the session. Asks the user first if pending votes would be lost.
 *
 * @param leave signs out or changes the server
 */
export function leaveSession(leave: LeaveAction): void {
  if (leavePrompt !== undefined && hasUnsavedWork()) leavePrompt(leave);
  else leave();
}

/**
 * Sets the handler that asks the user before leaving.
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
