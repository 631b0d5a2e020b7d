import { inject, injectable } from 'inversify';
import { ClockPort, FailureLog, type LifecycleContribution, type Live, LoggerPort } from '@countersign/core/plugin';
import { OutboundDeliveryStore, SigningKeyStore } from '@countersign/core/ports';
import { deriveId } from '@countersign/model';
import { LiveNotifyConfiguration, type NotifyConfiguration } from './configuration.js';
import { DeliveryWorker } from './delivery-worker.js';
import { buildNoticeMessage, listNotices } from './key-notice.js';

/** Poll interval in ms. */
const POLL_MS = 2_000;
/**
 * Maximum age of reported events, in ms. It exceeds the usual downtime of servers, and is shorter than the retention of
 * deliveries without a run, so that no event is reported twice.
 */
const WINDOW_MS = 24 * 3_600_000;

/**
 * Notifies endpoints of changes to signing keys, so that the victim of a stolen token learns of them outside of this
 * product. Every server polls; a delivery is accepted only once under its id, whichever server is first.
 */
@injectable()
export class KeyNoticeSender implements LifecycleContribution {
  readonly name = 'notices of signing keys';
  private readonly failures: FailureLog;
  private sentIds: ReadonlySet<string> = new Set();
  private polling: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    @inject(SigningKeyStore) private readonly keys: Pick<SigningKeyStore, 'listKeysChangedSince' | 'getServerId'>,
    @inject(OutboundDeliveryStore) private readonly deliveries: Pick<OutboundDeliveryStore, 'accept'>,
    @inject(LiveNotifyConfiguration) private readonly configuration: Live<NotifyConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(DeliveryWorker) private readonly worker: Pick<DeliveryWorker, 'wake'>,
    @inject(LoggerPort) log: LoggerPort,
  ) {
    this.failures = new FailureLog(log, 'could not send notices of signing keys; will retry');
  }

  async start(): Promise<void> {
    this.scheduleNext();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.polling;
  }

  private scheduleNext(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.polling = this.sendNotices()
        .then(
          () => this.failures.recordSuccess(),
          (error: unknown) => this.failures.recordFailure(error),
        )
        .then(() => this.scheduleNext());
    }, POLL_MS);
    this.timer.unref();
  }

  private async sendNotices(): Promise<void> {
    const { Endpoints, SigningKeyEndpoints, Source } = this.configuration.current.Connectors.Notify;
    const endpoints = Endpoints.filter(({ Id }) => SigningKeyEndpoints.includes(Id));
    if (endpoints.length === 0) return;
    const since = this.clock.now() - WINDOW_MS;
    const notices = (await this.keys.listKeysChangedSince(since)).flatMap((key) => listNotices(key, since));
    const serverId = await this.keys.getServerId();
    const sent = new Set<string>();
    for (const endpoint of endpoints) {
      const { Id: endpointId } = endpoint;
      for (const notice of notices) {
        const deliveryId = deriveId(serverId, 'signing key', notice.key.keyId, notice.kind, endpointId);
        if (!this.sentIds.has(deliveryId)) {
          const message = buildNoticeMessage(endpoint, notice, deliveryId, Source);
          await this.deliveries.accept({ deliveryId, runId: null, elementId: null, endpointId, ...message });
          this.worker.wake();
        }
        sent.add(deliveryId);
      }
    }
    this.sentIds = sent;
  }
}
