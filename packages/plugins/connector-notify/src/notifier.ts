import { inject, injectable } from 'inversify';
import { ClockPort, type ConnectorCall, type Live, TerminalFailure } from '@countersign/core/plugin';
import { OutboundDeliveryStore } from '@countersign/core/ports';
import { LiveNotifyConfiguration, type Endpoint, type NotifyConfiguration } from './configuration.js';
import { DeliveryWorker } from './delivery-worker.js';
import { findEndpointProblem } from './endpoint-problem.js';
import type { Message } from './envelope.js';

/**
 * Maximum size of a notification, in bytes. Receivers may refuse even smaller ones: Standard Webhooks recommends less
 * than 20 KiB.
 */
const MAX_BYTES = 262_144;

/** Accepts notifications. Accepted notifications are delivered, even if the run ends or this process dies. */
@injectable()
export class Notifier {
  constructor(
    @inject(OutboundDeliveryStore) private readonly deliveries: OutboundDeliveryStore,
    @inject(LiveNotifyConfiguration) private readonly configuration: Live<NotifyConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(DeliveryWorker) private readonly worker: DeliveryWorker,
  ) {}

  /**
   * Returns the origin of an endpoint; an empty list if the endpoint does not exist or is unusable, because nothing is
   * sent then.
   */
  hosts(kind: Endpoint['Kind'], endpointId: string): readonly string[] {
    const endpoint = this.findEndpoint(kind, endpointId);
    return endpoint === undefined || findEndpointProblem(endpoint) !== undefined
      ? []
      : [new URL(endpoint.Url.reveal()).origin];
  }

  /**
   * Accepts a notification for delivery.
   *
   * @param buildMessage builds the message from the event source and the time
   * @throws {TerminalFailure} `notify_endpoint_unknown`, `notify_endpoint_invalid`, `notify_too_large`
   */
  async accept(
    kind: Endpoint['Kind'],
    endpointId: string,
    call: ConnectorCall,
    buildMessage: (source: string, now: number) => Message,
  ): Promise<{ readonly deliveryId: string; readonly endpoint: string }> {
    const { Source } = this.configuration.current.Connectors.Notify;
    const endpoint = this.findEndpoint(kind, endpointId);
    if (endpoint === undefined) {
      throw new TerminalFailure(
        'notify_endpoint_unknown',
        `There is no endpoint "${endpointId}" of the kind "${kind}". Add it to Connectors:Notify:Endpoints.`,
      );
    }
    const problem = findEndpointProblem(endpoint);
    if (problem !== undefined) throw new TerminalFailure('notify_endpoint_invalid', problem);
    const message = buildMessage(Source, this.clock.now());
    if (Buffer.byteLength(message.body) > MAX_BYTES)
      throw new TerminalFailure('notify_too_large', `The notification is larger than ${MAX_BYTES} bytes.`);
    const { idempotencyKey: deliveryId, runId, elementId } = call;
    await this.deliveries.accept({ deliveryId, runId, elementId, endpointId, ...message });
    this.worker.wake();
    return { deliveryId, endpoint: endpointId };
  }

  private findEndpoint(kind: Endpoint['Kind'], endpointId: string): Endpoint | undefined {
    const { Endpoints } = this.configuration.current.Connectors.Notify;
    return Endpoints.find(({ Id, Kind }) => Id === endpointId && Kind === kind);
  }
}
