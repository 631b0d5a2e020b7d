import { dialog, type BrowserWindow } from 'electron';
import { askInSequence, type Ask } from './ask.js';

/**
 * Asks by dialogs of the operating system, which no script of the window can answer. The button that has the focus says no:
 * whoever types on while the dialog comes up has signed nothing.
 */
export function askBySystem(window: () => BrowserWindow | undefined): Ask {
  return askInSequence(async ({ title, message, detail, confirm }) => {
    const options = {
      type: 'question' as const,
      title,
      message,
      detail,
      buttons: ['Cancel', confirm],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    };
    const parent = window();
    const { response } =
      parent === undefined ? await dialog.showMessageBox(options) : await dialog.showMessageBox(parent, options);
    return response === 1;
  });
}
