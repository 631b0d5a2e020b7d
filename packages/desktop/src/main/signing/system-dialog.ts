import { dialog, type BrowserWindow } from 'electron';
import { confirmInSequence, type Confirm } from './confirm.js';

/**
 * Returns a function that asks the user for confirmation in dialogs of the operating system, which no script in the
 * window can answer. The default button declines, so a user who keeps typing while the dialog appears does not sign by
 * accident.
 */
export function confirmInSystemDialog(window: () => BrowserWindow | undefined): Confirm {
  return confirmInSequence(async ({ title, message, detail, confirmLabel }) => {
    const options = {
      type: 'question' as const,
      title,
      message,
      detail,
      buttons: ['Cancel', confirmLabel],
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
