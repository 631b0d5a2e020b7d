import type { Log } from '../app/log.js';
import type { UpdateMode } from './update-settings.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The part of electron-updater that is used. */
export interface Updater {
  /** @returns the newest version, if it is newer than this one */
  findNewerVersion(): Promise<string | undefined>;
  /** Downloads the update and verifies its signature. */
  download(): Promise<void>;
  /** Quits the application and starts the new version. */
  restart(): void;
}

/** Messages to the user in dialogs of the operating system. */
export interface UpdateDialogs {
  /** @returns whether to restart now; otherwise the update is installed when the application quits */
  askToRestart(version: string): Promise<boolean>;
  showAvailable(version: string): Promise<void>;
  showUpToDate(): Promise<void>;
  showFailed(): Promise<void>;
}

interface UpdatesOptions {
  readonly mode: Exclude<UpdateMode, 'off'>;
  readonly updater: Updater;
  readonly dialogs: UpdateDialogs;
  readonly log: Log;
}

/** Checks for a new version at startup, every day and on request. Never restarts without confirmation. */
export class Updates {
  private timer: ReturnType<typeof setInterval> | undefined;
  private isChecking = false;
  /** Version that the user was notified of, so that the notification is not repeated each day. */
  private notifiedVersion: string | undefined;

  constructor(private readonly options: UpdatesOptions) {}

  start(): void {
    void this.check('by itself');
    this.timer = setInterval(() => void this.check('by itself'), DAY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * @param trigger `asked`: the user requested the check, so a dialog also reports if there is no new version or the
   * check failed
   */
  async check(trigger: 'by itself' | 'asked'): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    const { mode, updater, dialogs, log } = this.options;
    try {
      const version = await updater.findNewerVersion();
      log.info('update.checked', version === undefined ? { newer: false } : { newer: true, version });
      if (version === undefined) {
        if (trigger === 'asked') await dialogs.showUpToDate();
        return;
      }
      if (version === this.notifiedVersion && trigger === 'by itself') return;
      if (mode === 'installs') await updater.download();
      this.notifiedVersion = version;
      if (mode === 'tells') await dialogs.showAvailable(version);
      else if (await dialogs.askToRestart(version)) updater.restart();
    } catch (error) {
      log.failure('update.failed', error);
      if (trigger === 'asked') await dialogs.showFailed();
    } finally {
      this.isChecking = false;
    }
  }
}
