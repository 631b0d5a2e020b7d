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
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (question) => {
    if (waiting > MAX_WAITING) return Promise.resolve(false);
    waiting += 1;
    const answer = last.then(() => show(question));
    last = answer
      .catch(() => undefined)
      .finally(() => {
        waiting -= 1;
      });
    return answer;
  };
}
