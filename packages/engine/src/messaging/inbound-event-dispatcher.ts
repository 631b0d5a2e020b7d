import { ApiError, type ClockPort, type LoggerPort, type ReceivedEvent } from '@countersign/core/plugin';
import type {
  InboundEventCause,
  EventMatch,
  InboundEvent,
  InboundEventRecord,
  ReceiveEventRequest,
  RequestContext,
  StoragePort,
} from '@countersign/core/ports';
import { createRandomId, toRecordedActor } from '@countersign/model';
import type { CommandQueue } from '../commands/command-queue.js';
import { isObsolete, isPermanentRefusal } from '../commands/error-classification.js';
import type { MessageCorrelator } from './message-correlator.js';
import { startRunByEvent } from './start-run-by-event.js';
import { KeyedMutex } from './keyed-mutex.js';
import { checkMessage } from './check-message.js';

/**
 * Maximum number of dispatch attempts before the sender must retry. An attempt fails if the subscriptions change
 * concurrently.
 */
const MAX_DISPATCH_ATTEMPTS = 50;

type EventOutcome = Pick<ReceivedEvent, 'resumedRunIds' | 'startedRunIds' | 'buffered'>;
const NO_RECIPIENTS: EventOutcome = { resumedRunIds: [], startedRunIds: [], buffered: false };

/** Event to dispatch: a new event, or a recorded event that is redelivered. */
interface PendingDispatch {
  readonly event: InboundEvent;
  readonly context: RequestContext;
  readonly isRedelivery: boolean;
}

/**
 * Dispatcher of events from external systems. The transaction that records an event resumes or starts the first run
 * that it reaches; for other and later subscriptions, the event stays in its channel as a message.
 *
 * The same event may be delivered at any time and to several servers concurrently: one commit claims its idempotency
 * key, and the others find the key claimed.
 */
export class InboundEventDispatcher {
  /** Serializes dispatches per channel: concurrent ones would find the same run and conflict. */
  private readonly channels = new KeyedMutex();

  constructor(
    private readonly storage: Pick<
      StoragePort,
      'recordInboundEvent' | 'findInboundEvent' | 'findStoredResponses' | 'findMessageReceipt'
    >,
    private readonly queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
    private readonly correlator: Pick<MessageCorrelator, 'correlate'>,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    private readonly leaseMs: number,
  ) {}

  /** @throws the refusal of a workflow, if the event reached no run */
  async receive({ context, bufferForMs, ...delivery }: ReceiveEventRequest): Promise<ReceivedEvent> {
    checkMessage({ ...delivery, bufferForMs });
    const receivedAt = this.clock.now();
    const { from, traceId } = context;
    const expiresAt = bufferForMs === 0 ? null : receivedAt + bufferForMs;
    const event = {
      ...delivery,
      eventId: createRandomId(receivedAt),
      receivedAt,
      expiresAt,
      actor: toRecordedActor(context.actor),
      from,
      traceId,
    };
    return this.channels.runExclusive(channelKey(event), () => this.dispatch({ event, context, isRedelivery: false }));
  }

  /**
   * Redelivers an event. The effect of the redelivery is stored as the response for the idempotency key, unless the
   * event reaches no run.
   */
  async redeliver(eventId: string, context: RequestContext): Promise<ReceivedEvent> {
    const record = await this.storage.findInboundEvent(eventId);
    if (record === undefined) throw new ApiError('inbound_event_not_found', `There is no inbound event ${eventId}.`);
    if (await this.hasStoredResponse(context)) return this.handleRepeated(record, true);
    const event = toRedeliveredEvent(record, context);
    return this.channels.runExclusive(channelKey(event), () => this.dispatch({ event, context, isRedelivery: true }));
  }

  private async hasStoredResponse({ idempotency }: RequestContext): Promise<boolean> {
    if (idempotency === undefined) return false;
    const [storedResponse] = await this.storage.findStoredResponses([idempotency]);
    if (storedResponse !== undefined && storedResponse.requestDigest !== idempotency.requestDigest) {
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another request. Use a new one.',
      );
    }
    return storedResponse !== undefined;
  }

  /**
   * Checks that the event can still be redelivered, because another server may have redelivered it.
   *
   * @throws `inbound_event_not_redeliverable`
   */
  private async assertRedeliverable({ event, context }: PendingDispatch): Promise<void> {
    const record = await this.storage.findInboundEvent(event.eventId);
    if (record !== undefined) toRedeliveredEvent(record, context);
  }

  private async dispatch(pending: PendingDispatch): Promise<ReceivedEvent> {
    const { event, isRedelivery } = pending;
    const refusedBy: string[] = [];
    let refusal: unknown;
    for (let attempt = 0; attempt < MAX_DISPATCH_ATTEMPTS; attempt += 1) {
      const mode = isRedelivery
        ? 'again'
        : refusal !== undefined || (event.expiresAt !== null && attempt === 0)
          ? 'look'
          : 'record';
      const recordResult = await this.storage.recordInboundEvent(event, {
        mode,
        refusedBy,
        now: this.clock.now(),
        leaseMs: this.leaseMs,
      });
      if (recordResult.kind === 'repeated') return this.handleRepeated(recordResult.event, recordResult.isBuffered);
      if (recordResult.kind === 'recorded') return this.handleRecorded(event);
      if (recordResult.kind !== 'matches') continue;
      const [first, ...otherMatches] = sortWaitingRunsFirst(recordResult.matches);
      if (first === undefined) {
        if (refusal !== undefined) throw refusal;
        if (isRedelivery) return toReceivedEvent(event, NO_RECIPIENTS);
        continue;
      }
      if (first.hasEarlierMessage) {
        await this.correlator.correlate(event);
        continue;
      }
      const keep = otherMatches.length > 0 || event.expiresAt !== null;
      const cause: InboundEventCause = {
        from: 'event',
        event,
        isRedelivery,
        keep,
        refusedBy,
        leaseMs: this.leaseMs,
      };
      try {
        const outcome = await this.deliver(pending, first, cause);
        return toReceivedEvent(event, keep ? await this.deliverToOtherWorkflows(event, outcome) : outcome);
      } catch (error) {
        // The subscription is gone, or another server has recorded the delivery.
        if (isObsolete(error)) {
          if (isRedelivery) await this.assertRedeliverable(pending);
          continue;
        }
        if (!isPermanentRefusal(error)) throw error;
        refusedBy.push(first.workflowId);
        refusal = error;
      }
    }
    throw new ApiError(
      'service_unavailable',
      'The event could not be delivered, because its subscriptions keep changing. Deliver it again.',
    );
  }

  /** @throws the refusal of the command */
  private async deliver(
    { event, context }: PendingDispatch,
    { workflowId, to }: EventMatch,
    cause: InboundEventCause,
  ): Promise<EventOutcome> {
    const { correlationKey, payload } = event;
    if (to.kind === 'start') {
      const runId = await startRunByEvent(this.queue, {
        ...to,
        workflowId,
        payload,
        context,
        cause,
        ...(correlationKey === '' ? {} : { correlationKey }),
      });
      return { ...NO_RECIPIENTS, startedRunIds: [runId] };
    }
    const { runId, subscriptionId } = to;
    await this.queue.submit({
      target: { kind: 'run', runId },
      context,
      action: 'message.correlate',
      respond: () => ({ runId }),
      cause,
      command: () => ({ type: 'message.correlate', actor: context.actor, subscriptionId, payload }),
    });
    return { ...NO_RECIPIENTS, resumedRunIds: [runId] };
  }

  /** Correlates a kept event with further workflows. The event is recorded, so a failure here is retried later. */
  private async deliverToOtherWorkflows(event: InboundEvent, outcome: EventOutcome): Promise<EventOutcome> {
    try {
      await this.correlator.correlate(event);
      if (event.expiresAt === null)
        await this.storage.findMessageReceipt(event.eventId, this.clock.now(), { forget: true });
      const record = await this.storage.findInboundEvent(event.eventId);
      return record === undefined ? outcome : toOutcome(record, this.clock.now());
    } catch (error) {
      this.log.warn(
        { err: error, eventId: event.eventId },
        'could not deliver an event to further workflows; will retry',
      );
      return outcome;
    }
  }

  private async handleRecorded(event: InboundEvent): Promise<ReceivedEvent> {
    return toReceivedEvent(
      event,
      event.expiresAt === null
        ? NO_RECIPIENTS
        : await this.deliverToOtherWorkflows(event, { ...NO_RECIPIENTS, buffered: true }),
    );
  }

  /**
   * Returns the response to a repeated delivery. Correlates a kept event again, because the server that recorded it
   * may have died before the event reached every workflow.
   */
  private async handleRepeated(record: InboundEventRecord, isKept: boolean): Promise<ReceivedEvent> {
    const { eventId, messageName, correlationKey } = record;
    if (messageName === null || correlationKey === null)
      throw new Error('a repeated event has no message name or correlation key');
    if (isKept) await this.correlator.correlate({ messageName, correlationKey });
    const currentRecord = isKept ? await this.storage.findInboundEvent(eventId) : undefined;
    return {
      eventId,
      messageName,
      correlationKey,
      duplicate: true,
      ...toOutcome(currentRecord ?? record, this.clock.now()),
    };
  }
}

const channelKey = ({ messageName, correlationKey }: InboundEvent): string =>
  JSON.stringify([messageName, correlationKey]);

/** Sorts waiting runs before start events. */
function sortWaitingRunsFirst(matches: readonly EventMatch[]): EventMatch[] {
  return matches.toSorted((a, b) => Number(a.to.kind === 'start') - Number(b.to.kind === 'start'));
}

function toOutcome({ resumedRunIds, startedRunIds, status, expiresAt }: InboundEventRecord, now: number): EventOutcome {
  return { resumedRunIds, startedRunIds, buffered: status !== 'expired' && expiresAt !== null && expiresAt > now };
}

function toReceivedEvent({ eventId, messageName, correlationKey }: InboundEvent, outcome: EventOutcome): ReceivedEvent {
  return { eventId, messageName, correlationKey, duplicate: false, ...outcome };
}

/**
 * Returns a recorded event for redelivery to current subscriptions, on behalf of the caller.
 *
 * @throws `inbound_event_not_redeliverable`
 */
function toRedeliveredEvent(record: InboundEventRecord, { actor, from, traceId }: RequestContext): InboundEvent {
  const { eventId, via, source, status, idempotencyKey, bodyDigest, messageName, correlationKey, payload, receivedAt } =
    record;
  const isUnmatched = status === 'unmatched' || status === 'expired';
  if (
    !isUnmatched ||
    source === null ||
    idempotencyKey === null ||
    bodyDigest === null ||
    messageName === null ||
    correlationKey === null ||
    payload === null
  ) {
    throw new ApiError(
      'inbound_event_not_redeliverable',
      `The event is ${status}. Only an event that reached no run and is no longer kept can be delivered again.`,
    );
  }
  const eventFields = {
    eventId,
    via,
    source,
    idempotencyKey,
    bodyDigest,
    messageName,
    correlationKey,
    payload,
    receivedAt,
  };
  return { ...eventFields, oncePerBody: false, expiresAt: null, actor: toRecordedActor(actor), from, traceId };
}
