import { ConnectionError, ProblemError, type Client, type SigningKey } from '@countersign/contract';
import type { Clock } from '../presence/clock.js';

/** Keys are no changes of a run, so the change feed says nothing of them. In ms. */
const LOOK_EVERY_MS = 60_000;
const PAGE = 50;

interface KeyWatchOptions {
  readonly client: Pick<Client, 'listMySigningKeys'>;
  readonly clock: Clock;
  /** Whether this is the key of this device. */
  isHere(keyId: string): boolean;
  /** A key was registered elsewhere, or began to count, since this watch began. */
  onNews(key: SigningKey): void;
  /** The keys were read. */
  onLook(): void;
}

/** Watches over the signing keys of the signed-in user, so that none is added to them without their knowledge. */
export class KeyWatch {
  private known: ReadonlyMap<string, boolean> | undefined;
  private callOff: (() => void) | undefined;
  private ended = false;

  constructor(private readonly options: KeyWatchOptions) {}

  /** Looks now, and from then on each minute until {@link stop}. */
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
    // What was there at the beginning is told in the window.
    if (known !== undefined) for (const key of news) this.options.onNews(key);
  }
}
