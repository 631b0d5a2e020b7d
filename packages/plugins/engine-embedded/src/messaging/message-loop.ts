import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import type { MessageChannel, StoragePort } from '@countersign/core/ports';
import type { EngineOptions } from '../engine-options.js';
import { BackgroundLoop } from '../background-loop.js';
import type { MessageCorrelator } from './message-correlator.js';

/** Maximum number of channels that one process correlates concurrently. */
const MAX_AT_ONCE = 64;
/** Maximum number of expired messages that are deleted at a time. */
const EXPIRED_AT_ONCE = 500;

/** Correlates channels that changed, on any server, and deletes expired messages. */
export class MessageLoop {
  private readonly looks: BackgroundLoop;
  private readonly expiry: BackgroundLoop;
  private inHand = 0;

  constructor(
    private readonly storage: Pick<StoragePort, 'claimChannels' | 'expireMessages'>,
    private readonly correlator: MessageCorrelator,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    private readonly options: Pick<EngineOptions, 'pollMs'>,
    private readonly leaseMs: number,
  ) {
    this.looks = new BackgroundLoop('messages', log, options.pollMs, () => this.round());
    this.expiry = new BackgroundLoop('expired messages', log, options.pollMs, () => this.expire());
    clock.onSet?.(() => this.expiry.wake());
  }

  start(): void {
    this.looks.start();
    this.expiry.start();
  }

  wake(): void {
    this.looks.wake();
  }

  /** Claims no more channels, and waits for the claimed ones. */
  async stop(): Promise<void> {
    await Promise.all([this.looks.stop(), this.expiry.stop()]);
    await this.correlator.idle();
  }

  private async round(): Promise<number> {
    const limit = MAX_AT_ONCE - this.inHand;
    if (limit > 0)
      for (const channel of await this.storage.claimChannels({ limit, leaseMs: this.leaseMs })) void this.look(channel);
    return this.options.pollMs;
  }

  private async look(channel: MessageChannel): Promise<void> {
    this.inHand += 1;
    try {
      await this.correlator.correlate(channel);
    } catch (error) {
      this.log.warn({ err: error, messageName: channel.messageName }, 'could not deliver messages; will retry');
    }
    this.inHand -= 1;
    // There is capacity for another channel.
    if (this.inHand === MAX_AT_ONCE - 1) this.wake();
  }

  private async expire(): Promise<number> {
    const expired = await this.storage.expireMessages(this.clock.now(), this.leaseMs, EXPIRED_AT_ONCE);
    return expired === EXPIRED_AT_ONCE ? 0 : this.options.pollMs;
  }
}
