import { inject, injectable } from 'inversify';
import { type LifecycleContribution, type Live, LoggerPort } from '@countersign/core/plugin';
import { OutboundDeliveryStore } from '@countersign/core/ports';
import { LiveNotifyConfiguration, type NotifyConfiguration } from './configuration.js';

const INTERVAL_MS = 10 * 60_000;

/** Deletes deliveries that ended long ago. Several servers may do so concurrently. */
@injectable()
export class DeliveryRetention implements LifecycleContribution {
  readonly name = 'retention of notifications';
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    @inject(OutboundDeliveryStore) private readonly deliveries: OutboundDeliveryStore,
    @inject(LiveNotifyConfiguration) private readonly configuration: Live<NotifyConfiguration>,
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {}

  async start(): Promise<void> {
    this.running = this.sweep();
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.sweep());
    }, INTERVAL_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private async sweep(): Promise<void> {
    try {
      while ((await this.deliveries.deleteOlderThan(this.configuration.current.Connectors.Notify.KeepFor)) > 0);
    } catch (error) {
      this.log.warn({ err: error }, 'could not delete old notifications; will retry');
    }
  }
}
