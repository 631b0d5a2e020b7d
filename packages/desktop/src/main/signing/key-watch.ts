import { ConnectionError, ProblemError, type Client, type SigningKey } from '@countersign/contract';
import type { Clock } from '../presence/clock.js';

/** Polling interval in ms: keys do not belong to a run, so the change feed does not report them. */
const POLL_MS = 60_000;
const PAGE_SIZE = 50;

interface KeyWatchOptions {
  readonly client: Pick<Client, 'listMySigningKeys'>;
  readonly clock: Clock;
  /** Returns whether this is the key of this device. */
  isThisDevice(keyId: string): boolean;
  /** Called when a key was registered elsewhere, or was enrolled, since this watch started. */
  onNews(key: SigningKey): void;
  /** Called after each successful poll of the keys. */
  onPolled(): void;
}

/** Watches the signing keys of the signed-in user, so that none is added without their knowledge. */
export class KeyWatch {
  private enrolledByKey: ReadonlyMap<string, boolean> | undefined;
  private cancelTimer: (() => void) | undefined;
  private isStopped = false;

  constructor(private readonly options: KeyWatchOptions) {}

  /** Polls immediately, then every minute until {@link stop} is called. */
  async check(): Promise<void> {
    try {
      const { items } = await this.options.client.listMySigningKeys({ limit: PAGE_SIZE });
      if (this.isStopped) return;
      this.reportNews(items);
      this.options.onPolled();
    } catch (error) {
      if (!(error instanceof ProblemError) && !(error instanceof ConnectionError)) throw error;
    } finally {
      if (!this.isStopped) this.cancelTimer = this.options.clock.schedule(POLL_MS, () => void this.check());
    }
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimer?.();
  }

  private reportNews(items: readonly SigningKey[]): void {
    const { enrolledByKey } = this;
    const news = items.filter(
      ({ keyId, revokedAt, enrolment }) =>
        revokedAt === null && !this.options.isThisDevice(keyId) && enrolledByKey?.get(keyId) !== (enrolment !== null),
    );
    this.enrolledByKey = new Map(items.map(({ keyId, enrolment }) => [keyId, enrolment !== null]));
    // The window itself reports the keys of the first poll.
    if (enrolledByKey !== undefined) for (const key of news) this.options.onNews(key);
  }
}
