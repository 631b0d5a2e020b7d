import { app, dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { Log } from '../app/log.js';
import { readUpdateMode } from './update-settings.js';
import { Updates, type UpdateDialogs, type Updater } from './updates.js';

interface ElectronUpdatesOptions {
  readonly log: Log;
  window(): BrowserWindow | undefined;
}

/** @returns `undefined` if no update source is configured or the application is not packaged */
export async function createElectronUpdates({ log, window }: ElectronUpdatesOptions): Promise<Updates | undefined> {
  const mode = app.isPackaged ? readUpdateMode(process.resourcesPath, process.platform) : 'off';
  return mode === 'off'
    ? undefined
    : new Updates({ mode, updater: await loadElectronUpdater(log), dialogs: createDialogs(window), log });
}

/** Imports electron-updater dynamically, so that it is loaded only if it is used. */
async function loadElectronUpdater(log: Log): Promise<Updater> {
  const { autoUpdater } = await import('electron-updater');
  autoUpdater.autoDownload = false;
  // Takes effect only after an update is downloaded, which requires a valid signature.
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.allowDowngrade = false;
  autoUpdater.allowPrerelease = false;
  autoUpdater.disableWebInstaller = true;
  const logMessage = (message?: unknown): void =>
    log.info('update.message', { message: String(message).slice(0, 300) });
  autoUpdater.logger = { info: () => undefined, debug: () => undefined, warn: logMessage, error: logMessage };
  return {
    findNewerVersion: async () => {
      const found = await autoUpdater.checkForUpdates();
      return found?.isUpdateAvailable === true ? found.updateInfo.version : undefined;
    },
    download: async () => {
      await autoUpdater.downloadUpdate();
    },
    restart: () => autoUpdater.quitAndInstall(),
  };
}

function createDialogs(window: () => BrowserWindow | undefined): UpdateDialogs {
  const show = async (options: MessageBoxOptions): Promise<number> => {
    const parent = window();
    const { response } = await (parent === undefined
      ? dialog.showMessageBox({ noLink: true, ...options })
      : dialog.showMessageBox(parent, { noLink: true, ...options }));
    return response;
  };
  const showInfo = async (message: string, detail: string): Promise<void> => {
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
    showAvailable: (version) =>
      showInfo(
        `Countersign ${version} is available.`,
        `You have ${app.getVersion()}. Download the new version from the same source as your current version.`,
      ),
    showUpToDate: () => showInfo('Countersign is up to date.', `You have ${app.getVersion()}.`),
    showFailed: () => showInfo('Could not check for updates.', 'Try again later. See the log for details.'),
  };
}
