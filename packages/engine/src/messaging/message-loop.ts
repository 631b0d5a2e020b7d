import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import type { MessageChannel, StoragePort } from '@countersign/core/ports';
import type { EngineOptions } from '../engine-options.js';
import { BackgroundLoop } from '../background-loop.js';
import type { MessageCorrelator } from './message-correlator.js';

/** Maximum number of channels that one process correlates concurrently. */
const MAX_IN_FLIGHT = 64;
/** Maximum number of expired messages that are deleted at a time. */
const EXPIRY_BATCH_SIZE = 500;

/** Correlates channels that any server has changed, and deletes expired messages. */
export class MessageLoop {
  private readonly correlationLoop: BackgroundLoop;
  private readonly expiryLoop: BackgroundLoop;
  private inFlightCount = 0;

  constructor(
    private readonly storage: Pick<StoragePort, 'claimChannels' | 'expireMessages'>,
    private readonly correlator: MessageCorrelator,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    private readonly options: Pick<EngineOptions, 'pollMs'>,
    private readonly leaseMs: number,
  ) {
    this.correlationLoop = new BackgroundLoop('messages', log, options.pollMs, () => this.runOnce());
    this.expiryLoop = new BackgroundLoop('expired messages', log, options.pollMs, () => this.expire());
    clock.onSet?.(() => this.expiryLoop.wake());
  }

  start(): void {
    this.correlationLoop.start();
    this.expiryLoop.start();
  }

  wake(): void {
    this.correlationLoop.wake();
  }

  /** Claims no more channels, and waits for the claimed ones. */
  async stop(): Promise<void> {
    await Promise.all([this.correlationLoop.stop(), this.expiryLoop.stop()]);
    await this.correlator.waitUntilIdle();
  }

  private async runOnce(): Promise<number> {
    const limit = MAX_IN_FLIGHT - this.inFlightCount;
    if (limit > 0)
      for (const channel of await this.storage.claimChannels({ limit, leaseMs: this.leaseMs }))
        void this.correlateChannel(channel);
    return this.options.pollMs;
  }

  private async correlateChannel(channel: MessageChannel): Promise<void> {
    this.inFlightCount += 1;
    try {
      await this.correlator.correlate(channel);
    } catch (error) {
      this.log.warn({ err: error, messageName: channel.messageName }, 'could not deliver messages; will retry');
    }
    this.inFlightCount -= 1;
    // There is capacity for another channel.
    if (this.inFlightCount === MAX_IN_FLIGHT - 1) this.wake();
  }

  private async expire(): Promise<number> {
    const expiredCount = await this.storage.expireMessages(this.clock.now(), this.leaseMs, EXPIRY_BATCH_SIZE);
    return expiredCount === EXPIRY_BATCH_SIZE ? 0 : this.options.pollMs;
  }
}
