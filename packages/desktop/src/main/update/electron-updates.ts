import { app, dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { Log } from '../app/log.js';
import { updateMode } from './update-settings.js';
import { Updates, type UpdateDialogs, type Updater } from './updates.js';

interface ElectronUpdatesOptions {
  readonly log: Log;
  window(): BrowserWindow | undefined;
}

/** @returns `undefined` if no update source is configured or the application is not packaged */
export async function electronUpdates({ log, window }: ElectronUpdatesOptions): Promise<Updates | undefined> {
  const mode = app.isPackaged ? updateMode(process.resourcesPath, process.platform) : 'off';
  return mode === 'off'
    ? undefined
    : new Updates({ mode, updater: await electronUpdater(log), dialogs: dialogsOn(window), log });
}

/** Imports electron-updater only if it is used. */
async function electronUpdater(log: Log): Promise<Updater> {
  const { autoUpdater } = await import('electron-updater');
  autoUpdater.autoDownload = false;
  // Takes effect only after the update is loaded, which requires a signature.
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.allowDowngrade = false;
  autoUpdater.allowPrerelease = false;
  autoUpdater.disableWebInstaller = true;
  const logMessage = (message?: unknown): void => log.info('update.told', { message: String(message).slice(0, 300) });
  autoUpdater.logger = { info: () => undefined, debug: () => undefined, warn: logMessage, error: logMessage };
  return {
    newest: async () => {
      const found = await autoUpdater.checkForUpdates();
      return found?.isUpdateAvailable === true ? found.updateInfo.version : undefined;
    },
    load: async () => {
      await autoUpdater.downloadUpdate();
    },
    restart: () => autoUpdater.quitAndInstall(),
  };
}

function dialogsOn(window: () => BrowserWindow | undefined): UpdateDialogs {
  const show = async (options: MessageBoxOptions): Promise<number> => {
    const parent = window();
    const { response } = await (parent === undefined
      ? dialog.showMessageBox({ noLink: true, ...options })
      : dialog.showMessageBox(parent, { noLink: true, ...options }));
    return response;
  };
  const tell = async (message: string, detail: string): Promise<void> => {
    await show({ type: 'info', message, detail, buttons: ['OK'] });
  };
  return {
    askToRestart: async (version) =>
      (await show({
        type: 'question',
        message: `Countersign ${version} is available.`,
        detail: 'Restart now to use it? Otherwise it is installed when you quit Countersign.',
        buttons: ['Later', 'Restart now'],
        defaultId: 1,
        cancelId: 0,
      })) === 1,
    tellOf: (version) =>
      tell(
        `Countersign ${version} is available.`,
        `You have ${app.getVersion()}. Download the new version from where you got this one.`,
      ),
    tellNone: () => tell('Countersign is up to date.', `You have ${app.getVersion()}.`),
    tellFailed: () => tell('Could not check for updates.', 'Try again later. See the log for details.'),
  };
}
