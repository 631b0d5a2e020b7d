/** A question to the person, by a dialog of the operating system. */
export interface ConfirmationPrompt {
  readonly title: string;
  readonly message: string;
  readonly detail: string;
  /** What the button says that does it. */
  readonly confirm: string;
}

/** @returns whether the person says yes; closing the dialog is a no */
export type Confirm = (question: ConfirmationPrompt) => Promise<boolean>;

/** Questions that wait behind the one that is shown; more are taken for a no, as nobody asks so much. */
const MAX_WAITING = 5;

/** Asks one question after the other, so that each is read, and a window that asks without end is not heard. */
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
