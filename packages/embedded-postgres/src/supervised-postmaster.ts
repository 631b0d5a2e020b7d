import type { EmbeddedLog } from './embedded-log.js';
import type { Postmaster } from './postmaster.js';
import { startWatchdog, type Watchdog } from './watchdog.js';

/** Minimum and maximum pause before PostgreSQL is restarted. Each failed restart doubles the pause. */
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Functions that restart and stop a server. */
export interface PostmasterControl {
  /** Restarts the server on the same port. */
  restart(): Promise<Postmaster>;
  /** @returns whether the server has exited */
  stop(pid: number): Promise<boolean>;
}

/**
 * A PostgreSQL server that is restarted if it exits unexpectedly, for example because it was killed or ran out of
 * memory.
 */
export class SupervisedPostmaster {
  #postmaster: Postmaster;
  #watchdog: Watchdog;
  #hasExited = false;
  #isStopping = false;
  #restarting: Promise<void> | undefined;
  #endPause: (() => void) | undefined;

  constructor(
    initialPostmaster: Postmaster,
    private readonly control: PostmasterControl,
    private readonly log: EmbeddedLog,
    private readonly logFile: string,
  ) {
    this.#postmaster = initialPostmaster;
    this.#watchdog = this.#watch(initialPostmaster);
  }

  get pid(): number {
    return this.#postmaster.pid;
  }

  /** @returns whether the server has exited */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    this.#endPause?.();
    await this.#restarting;
    // After an unexpected exit, the process id may belong to another program, so no signal is sent.
    const hasStopped = this.#hasExited || (await this.control.stop(this.pid));
    await this.#watchdog.dismiss();
    return hasStopped;
  }

  #watch(postmaster: Postmaster): Watchdog {
    const watchdog = startWatchdog(postmaster.pid);
    postmaster.onExit(() => {
      this.#hasExited = true;
      if (this.#isStopping) return;
      this.log.error(
        { pid: postmaster.pid, logFile: this.logFile },
        'restarting PostgreSQL, because it exited unexpectedly; see its log file for the reason',
      );
      void watchdog.dismiss(); // otherwise it would signal the next process with that id
      this.#restarting = this.#restart();
    });
    return watchdog;
  }

  async #restart(): Promise<void> {
    for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      await this.#pause(pauseMs);
      if (this.#isStopping) return;
      try {
        const postmaster = await this.control.restart();
        this.#hasExited = false;
        this.#postmaster = postmaster;
        this.#watchdog = this.#watch(postmaster);
        this.log.info({ pid: postmaster.pid }, 'PostgreSQL is running again');
        return;
      } catch (error) {
        this.log.error({ err: error }, 'could not restart PostgreSQL; will retry');
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
