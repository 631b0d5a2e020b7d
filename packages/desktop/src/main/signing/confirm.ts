/** A prompt in a dialog of the operating system. */
export interface ConfirmationPrompt {
  readonly title: string;
  readonly message: string;
  readonly detail: string;
  /** Label of the confirm button. */
  readonly confirmLabel: string;
}

/** @returns whether the user confirms; closing the dialog declines */
export type Confirm = (prompt: ConfirmationPrompt) => Promise<boolean>;

/** Maximum number of queued prompts; further ones are declined, because no user causes so many. */
const MAX_QUEUED_PROMPTS = 5;

/** Shows prompts one after the other, so that each is read and a window cannot flood the user with prompts. */
export function confirmInSequence(show: Confirm): Confirm {
  let lastPrompt: Promise<unknown> = Promise.resolve();
  let queuedCount = 0;
  return (prompt) => {
    if (queuedCount > MAX_QUEUED_PROMPTS) return Promise.resolve(false);
    queuedCount += 1;
    const confirmation = lastPrompt.then(() => show(prompt));
    lastPrompt = confirmation
      .catch(() => undefined)
      .finally(() => {
        queuedCount -= 1;
      });
    return confirmation;
  };
}
