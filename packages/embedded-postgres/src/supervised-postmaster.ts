import type { EmbeddedLog } from './embedded-log.js';
import type { Postmaster } from './postmaster.js';
import { startWatchdog, type Watchdog } from './watchdog.js';

/** Pauses before PostgreSQL is started again, in ms; each failure doubles them. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** How a server is started again and stopped. */
export interface PostmasterControl {
  /** Starts it on the same port. */
  restart(): Promise<Postmaster>;
  /** @returns whether it has ended */
  stop(pid: number): Promise<boolean>;
}

/** A PostgreSQL that is started again when it ends by itself, for instance because it was killed or ran out of memory. */
export class SupervisedPostmaster {
  #postmaster: Postmaster;
  #watchdog: Watchdog;
  #hasEnded = false;
  #isStopping = false;
  #restarting: Promise<void> | undefined;
  #endPause: (() => void) | undefined;

  constructor(
    first: Postmaster,
    private readonly control: PostmasterControl,
    private readonly log: EmbeddedLog,
    private readonly logFile: string,
  ) {
    this.#postmaster = first;
    this.#watchdog = this.#watch(first);
  }

  get pid(): number {
    return this.#postmaster.pid;
  }

  /** @returns whether it has ended */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    this.#endPause?.();
    await this.#restarting;
    // Once it has ended by itself, its process id may be another program's: no signal then.
    const gone = this.#hasEnded || (await this.control.stop(this.pid));
    await this.#watchdog.dismiss();
    return gone;
  }

  #watch(postmaster: Postmaster): Watchdog {
    const watchdog = startWatchdog(postmaster.pid);
    postmaster.onExit(() => {
      this.#hasEnded = true;
      if (this.#isStopping) return;
      this.log.error(
        { pid: postmaster.pid, logFile: this.logFile },
        'PostgreSQL has ended unexpectedly and is started again; its log file says why it ended',
      );
      void watchdog.dismiss(); // or it would signal whoever gets that process id next
      this.#restarting = this.#restart();
    });
    return watchdog;
  }

  async #restart(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await this.#pause(pauseMs);
      if (this.#isStopping) return;
      try {
        const postmaster = await this.control.restart();
        this.#hasEnded = false;
        this.#postmaster = postmaster;
        this.#watchdog = this.#watch(postmaster);
        this.log.info({ pid: postmaster.pid }, 'PostgreSQL runs again');
        return;
      } catch (error) {
        this.log.error({ err: error }, 'PostgreSQL could not be started again; the next attempt follows');
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
