import { dialog, type BrowserWindow } from 'electron';

/** A question to the person, by a dialog of the operating system. */
export interface Question {
  readonly title: string;
  readonly message: string;
  readonly detail: string;
  /** What the button says that does it. */
  readonly confirm: string;
}

/** @returns whether the person says yes; closing the dialog is a no */
export type Ask = (question: Question) => Promise<boolean>;

/** Questions that wait behind the one that is shown; more are taken for a no, as nobody asks so much. */
const MOST_WAITING = 5;

/**
 * Asks by dialogs of the operating system, which no script of the window can answer, one at a time. The button that has the
 * focus says no: whoever types on while the dialog comes up has signed nothing.
 */
export function askBySystem(window: () => BrowserWindow | undefined): Ask {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return ({ title, message, detail, confirm }) => {
    if (waiting > MOST_WAITING) return Promise.resolve(false);
    waiting += 1;
    const answer = last.then(async () => {
      const options = { type: 'question' as const, title, message, detail, buttons: ['Cancel', confirm], defaultId: 0, cancelId: 0, noLink: true };
      const parent = window();
      const { response } = parent === undefined ? await dialog.showMessageBox(options) : await dialog.showMessageBox(parent, options);
      return response === 1;
    });
    last = answer.catch(() => undefined).finally(() => {
      waiting -= 1;
    });
    return answer;
  };
}
