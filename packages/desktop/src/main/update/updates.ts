import type { Log } from '../app/log.js';
import type { UpdateMode } from './update-settings.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What of electron-updater is used. */
export interface Updater {
  /** @returns the newest version, where it is newer than this one */
  newest(): Promise<string | undefined>;
  /** Loads it, and verifies its signature. */
  load(): Promise<void>;
  /** Ends the application, and starts the new one. */
  restart(): void;
}

/** What is said to the person, by dialogs of the operating system. */
export interface UpdateDialogs {
  /** @returns whether to restart now; else it is installed when the application ends */
  askToRestart(version: string): Promise<boolean>;
  tellOf(version: string): Promise<void>;
  tellNone(): Promise<void>;
  tellFailed(): Promise<void>;
}

interface UpdatesOptions {
  readonly mode: Exclude<UpdateMode, 'off'>;
  readonly updater: Updater;
  readonly dialogs: UpdateDialogs;
  readonly log: Log;
}

/** Looks for a new version at the start, each day, and when somebody asks. Nothing restarts by itself. */
export class Updates {
  private timer: ReturnType<typeof setInterval> | undefined;
  private looking = false;
  /** What the person was told of, so that they are not told each day. */
  private notifiedVersion: string | undefined;

  constructor(private readonly options: UpdatesOptions) {}

  start(): void {
    void this.look('by itself');
    this.timer = setInterval(() => void this.look('by itself'), DAY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** @param why who asked is told also that there is nothing new, or that it could not be found out */
  async look(why: 'by itself' | 'asked'): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    const { mode, updater, dialogs, log } = this.options;
    try {
      const version = await updater.newest();
      log.info('update.looked', version === undefined ? { newer: false } : { newer: true, version });
      if (version === undefined) {
        if (why === 'asked') await dialogs.tellNone();
        return;
      }
      if (version === this.notifiedVersion && why === 'by itself') return;
      if (mode === 'installs') await updater.load();
      this.notifiedVersion = version;
      if (mode === 'tells') await dialogs.tellOf(version);
      else if (await dialogs.askToRestart(version)) updater.restart();
    } catch (error) {
      log.failure('update.failed', error);
      if (why === 'asked') await dialogs.tellFailed();
    } finally {
      this.looking = false;
    }
  }
}
