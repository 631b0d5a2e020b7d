import type { ElectronApplication } from 'playwright-core';

/** What a dialog of the operating system showed. */
export interface AskedDialog {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  /** Which button Enter would press. */
  readonly defaultId: number;
}

interface Scope {
  dialogsAsked?: AskedDialog[];
  dialogsSay?: boolean;
}

/** Stands in for the person at the dialogs of the operating system, which no test can click. */
export class NativeDialogs {
  private constructor(private readonly app: ElectronApplication) {}

  static async of(app: ElectronApplication): Promise<NativeDialogs> {
    await app.evaluate(({ dialog }) => {
      const scope = globalThis as Scope;
      scope.dialogsAsked = [];
      scope.dialogsSay = true;
      dialog.showMessageBox = ((...args: AskedDialog[]) => {
        const asked = args.at(-1);
        if (asked !== undefined)
          scope.dialogsAsked?.push({
            message: asked.message,
            detail: asked.detail,
            buttons: asked.buttons,
            defaultId: asked.defaultId,
          });
        return Promise.resolve({ response: scope.dialogsSay === true ? 1 : 0, checkboxChecked: false });
      }) as unknown as typeof dialog.showMessageBox;
    });
    return new NativeDialogs(app);
  }

  /** What the person answers from now on. */
  async say(yes: boolean): Promise<void> {
    await this.app.evaluate((_electron, answer) => {
      (globalThis as Scope).dialogsSay = answer;
    }, yes);
  }

  /** What was asked since the last time. */
  async asked(): Promise<readonly AskedDialog[]> {
    return this.app.evaluate(() => {
      const scope = globalThis as Scope;
      const asked = scope.dialogsAsked ?? [];
      scope.dialogsAsked = [];
      return asked;
    });
  }
}
