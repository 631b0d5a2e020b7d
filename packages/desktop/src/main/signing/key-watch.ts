import { ConnectionError, ProblemError, type Client, type SigningKey } from '@countersign/contract';
import type { Clock } from '../presence/clock.js';

/** Polling interval in ms: keys are not changes of a run, so the change feed does not report them. */
const LOOK_EVERY_MS = 60_000;
const PAGE = 50;

interface KeyWatchOptions {
  readonly client: Pick<Client, 'listMySigningKeys'>;
  readonly clock: Clock;
  /** Returns whether this is the key of this device. */
  isHere(keyId: string): boolean;
  /** Called when a key was registered elsewhere, or was enrolled, since this watch started. */
  onNews(key: SigningKey): void;
  /** Called after each successful poll of the keys. */
  onLook(): void;
}

/** Watches the signing keys of the signed-in user, so that none is added without their knowledge. */
export class KeyWatch {
  private known: ReadonlyMap<string, boolean> | undefined;
  private callOff: (() => void) | undefined;
  private ended = false;

  constructor(private readonly options: KeyWatchOptions) {}

  /** Polls now and then each minute until {@link stop}. */
  async look(): Promise<void> {
    try {
      const { items } = await this.options.client.listMySigningKeys({ limit: PAGE });
      if (this.ended) return;
      this.compare(items);
      this.options.onLook();
    } catch (error) {
      if (!(error instanceof ProblemError) && !(error instanceof ConnectionError)) throw error;
    } finally {
      if (!this.ended) this.callOff = this.options.clock.after(LOOK_EVERY_MS, () => void this.look());
    }
  }

  stop(): void {
    this.ended = true;
    this.callOff?.();
  }

  private compare(items: readonly SigningKey[]): void {
    const { known } = this;
    const news = items.filter(
      ({ keyId, revokedAt, enrolment }) =>
        revokedAt === null && !this.options.isHere(keyId) && known?.get(keyId) !== (enrolment !== null),
    );
    this.known = new Map(items.map(({ keyId, enrolment }) => [keyId, enrolment !== null]));
    // The window itself reports the keys of the first poll.
    if (known !== undefined) for (const key of news) this.options.onNews(key);
  }
}
