import type { ElectronApplication } from 'playwright-core';

/** The content of a dialog of the operating system. */
export interface ShownDialog {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  /** Index of the button that Enter would press. */
  readonly defaultId: number;
}

interface Scope {
  dialogsAsked?: ShownDialog[];
  confirmsDialogs?: boolean;
}

/** Responds to the dialogs of the operating system, which a test cannot click. */
export class NativeDialogs {
  private constructor(private readonly app: ElectronApplication) {}

  static async interceptDialogs(app: ElectronApplication): Promise<NativeDialogs> {
    await app.evaluate(({ dialog }) => {
      const scope = globalThis as Scope;
      scope.dialogsAsked = [];
      scope.confirmsDialogs = true;
      dialog.showMessageBox = ((...args: ShownDialog[]) => {
        const dialogOptions = args.at(-1);
        if (dialogOptions !== undefined)
          scope.dialogsAsked?.push({
            message: dialogOptions.message,
            detail: dialogOptions.detail,
            buttons: dialogOptions.buttons,
            defaultId: dialogOptions.defaultId,
          });
        return Promise.resolve({ response: scope.confirmsDialogs === true ? 1 : 0, checkboxChecked: false });
      }) as unknown as typeof dialog.showMessageBox;
    });
    return new NativeDialogs(app);
  }

  /** Sets whether the dialogs are confirmed from now on. */
  async respondWith(isConfirmed: boolean): Promise<void> {
    await this.app.evaluate((_electron, answer) => {
      (globalThis as Scope).confirmsDialogs = answer;
    }, isConfirmed);
  }

  /** Returns the dialogs that were shown since the last call. */
  async takeShownDialogs(): Promise<readonly ShownDialog[]> {
    return this.app.evaluate(() => {
      const scope = globalThis as Scope;
      const shownDialogs = scope.dialogsAsked ?? [];
      scope.dialogsAsked = [];
      return shownDialogs;
    });
  }
}
