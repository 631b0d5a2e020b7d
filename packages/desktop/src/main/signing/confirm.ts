/** A prompt in a dialog of the operating system. */
export interface ConfirmationPrompt {
  readonly title: string;
  readonly message: string;
  readonly detail: string;
  /** Label of the confirm button. */
  readonly confirm: string;
}

/** @returns whether the user confirms; closing the dialog declines */
export type Confirm = (question: ConfirmationPrompt) => Promise<boolean>;

/** Maximum number of queued prompts; further ones are declined, because no user causes so many. */
const MAX_WAITING = 5;

/** Shows prompts one after the other, so that each is read and a window cannot flood the user with prompts. */
export function confirmInSequence(show: Confirm): Confirm {
  let lastPrompt: Promise<unknown> = Promise.resolve();
  let queuedCount = 0;
  return (question) => {
    if (queuedCount > MAX_WAITING) return Promise.resolve(false);
    queuedCount += 1;
    const confirmation = lastPrompt.then(() => show(question));
    lastPrompt = confirmation
      .catch(() => undefined)
      .finally(() => {
        queuedCount -= 1;
      });
    return confirmation;
  };
}
