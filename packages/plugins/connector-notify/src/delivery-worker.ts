import { inject, injectable } from 'inversify';
import {
  ClockPort,
  FailureLog,
  type LifecycleContribution,
  type Live,
  LoggerPort,
  OutboundHttpPort,
} from '@countersign/core/plugin';
import { type ClaimedDelivery, OutboundDeliveryStore } from '@countersign/core/ports';
import { attemptDelivery } from './attempt-delivery.js';
import { LiveNotifyConfiguration, type NotifyConfiguration } from './configuration.js';

/** Poll interval for due deliveries, in ms. Deliveries accepted by this process are sent immediately. */
const POLL_MS = 1_000;
/** Maximum number of concurrent deliveries per endpoint in this process. */
const MAX_PER_ENDPOINT = 4;
/** Maximum time to record the outcome, in ms. The lease outlives the attempt by this time. */
const LEASE_MARGIN_MS = 60_000;

/**
 * Sends due deliveries. Servers share the work by leases: if a server dies, the others repeat its deliveries under the
 * same ids.
 */
@injectable()
export class DeliveryWorker implements LifecycleContribution {
  readonly name = 'notifications';
  private readonly activeByEndpoint = new Map<string, number>();
  private readonly attempts = new Set<Promise<void>>();
  private readonly failures: FailureLog;
  private loop: Promise<void> | undefined;
  private stopping = false;
  private isWakeRequested = false;
  private endPause: (() => void) | undefined;

  constructor(
    @inject(OutboundDeliveryStore) private readonly deliveries: OutboundDeliveryStore,
    @inject(OutboundHttpPort) private readonly http: OutboundHttpPort,
    @inject(LiveNotifyConfiguration) private readonly configuration: Live<NotifyConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {
    this.failures = new FailureLog(log, 'could not poll for notifications; will retry');
  }

  async start(): Promise<void> {
    this.loop = this.run();
  }

  /** Stops claiming deliveries and waits for attempts in progress, each of which has a time limit. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.loop;
    await Promise.all(this.attempts);
  }

  /** Starts the next poll immediately, because a delivery may be due. */
  wake(): void {
    this.isWakeRequested = true;
    this.endPause?.();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.isWakeRequested = false;
      try {
        for (const delivery of await this.claim()) this.startAttempt(delivery);
        this.failures.recordSuccess();
      } catch (error) {
        this.failures.recordFailure(error);
      }
      if (!this.isWakeRequested) await this.pause();
    }
  }

  private async claim(): Promise<readonly ClaimedDelivery[]> {
    const { Endpoints, Timeout } = this.configuration.current.Connectors.Notify;
    const capacities = Endpoints.map(({ Id }) => ({
      endpointId: Id,
      maxDeliveries: MAX_PER_ENDPOINT - (this.activeByEndpoint.get(Id) ?? 0),
    })).filter(({ maxDeliveries }) => maxDeliveries > 0);
    return capacities.length === 0 ? [] : this.deliveries.claim(capacities, Timeout + LEASE_MARGIN_MS);
  }

  private startAttempt(delivery: ClaimedDelivery): void {
    const { endpointId } = delivery;
    this.activeByEndpoint.set(endpointId, (this.activeByEndpoint.get(endpointId) ?? 0) + 1);
    const attempt = this.deliver(delivery).finally(() => {
      this.attempts.delete(attempt);
      this.activeByEndpoint.set(endpointId, (this.activeByEndpoint.get(endpointId) ?? 1) - 1);
      this.wake();
    });
    this.attempts.add(attempt);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { deliveryId, endpointId } = delivery;
    const settings = this.configuration.current.Connectors.Notify;
    const endpoint = settings.Endpoints.find(({ Id }) => Id === endpointId);
    // The endpoint was just removed from the configuration. The lease expires, and the delivery waits until the
    // endpoint exists again.
    if (endpoint === undefined) return;
    const attempt = await attemptDelivery(this.http, delivery, endpoint, settings, this.clock.now());
    const logFields = { deliveryId, endpointId, statusCode: attempt.statusCode, error: attempt.error };
    try {
      if (!(await this.deliveries.record(attempt)))
        this.log.debug(
          logFields,
          'discarded the result of a delivery attempt: another server has claimed the notification',
        );
      else if (attempt.error !== null)
        this.log.warn({ ...logFields, retryInMs: attempt.retryInMs }, 'could not deliver a notification');
    } catch (error) {
      this.log.warn(
        { err: error, ...logFields },
        'could not record the delivery attempt; the notification will be sent again',
      );
    }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
