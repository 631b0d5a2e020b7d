import { inject, injectable } from 'inversify';
import { ApiError, findJsonProblem, type JsonObject, MAX_NAME_LENGTH, createRandomId } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import { EnginePort, type ReceivedEvent } from '../ports/engine.js';
import { LoggerPort } from '../ports/logger.js';
import { StoragePort } from '../ports/storage.js';
import { RefusedEventCounter } from './refused-event-counter.js';

/** Inbound event with a verified signature, before it is recorded. */
export interface InboundEventInput {
  /** Channel of the event: the id of the plugin. */
  readonly via: string;
  /** Sending system within the channel. */
  readonly source: string;
  /** Key that identifies the event within its source. An event with a known key is a repeat. */
  readonly idempotencyKey: string;
  readonly messageName: string;
  readonly correlationKey: string;
  /** Payload whose fields become variables of the run. */
  readonly payload: JsonObject;
  /** Time to keep the event for runs that start to wait for it later, in ms; 0 by default. */
  readonly bufferForMs?: number;
  /** SHA-256 (hex) of the signed content without its time: the raw body, and the id if it is signed too. */
  readonly bodyDigest: string;
  /** Whether an event with a known body digest is a repeat, even if its key is new. */
  readonly oncePerBody?: boolean;
  readonly from: string | null;
  readonly traceId: string | null;
}

/** Refused inbound event. */
export interface RefusedInboundEvent {
  readonly via: string;
  /** Sending system; `null` if the sender is unknown, because names of unverified senders are not recorded. */
  readonly source: string | null;
  readonly code: string;
  readonly messageName?: string | null;
  readonly from: string | null;
  readonly traceId: string | null;
}

/** Receives inbound events from external systems on any channel. The webhook must verify the sender first. */
@injectable()
export class ReceiveInboundEvent {
  readonly #refusalCounter: RefusedEventCounter;

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(LoggerPort) log: LoggerPort,
  ) {
    this.#refusalCounter = new RefusedEventCounter(storage, log);
  }

  /**
   * Records an event together with its effect: for each workflow, it resumes the run that has waited longest for the
   * message, or starts a run. A repeated event has no further effect, and the call returns the first result.
   *
   * @throws {ApiError} `invalid_event`, or the error with which the run refuses the event. In both cases nothing is
   *   recorded, and the key can be used again
   */
  receive(input: InboundEventInput): Promise<ReceivedEvent> {
    const { via, source, from, traceId, bufferForMs = 0, oncePerBody = false, ...event } = input;
    const problem = findJsonProblem({ source, idempotencyKey: event.idempotencyKey });
    if (problem !== undefined)
      throw new ApiError('invalid_event', `${problem.pointer} of the event: ${problem.message}`);
    if (
      event.idempotencyKey === '' ||
      event.idempotencyKey.length > MAX_NAME_LENGTH ||
      source.length > MAX_NAME_LENGTH
    ) {
      throw new ApiError(
        'invalid_event',
        `The id and the source of the event must have 1 to ${MAX_NAME_LENGTH} characters.`,
      );
    }
    const actor = { type: 'service', id: `${via}:${source}`, name: source } as const;
    return this.engine.receiveEvent({
      ...event,
      via,
      source,
      bufferForMs,
      oncePerBody,
      context: { actor, from, traceId },
    });
  }

  /**
   * Records a refused event. Returns immediately, so that the response time reveals nothing. Counts refusals with
   * the same source and reason within a minute in one record, so that no sender can fill the database.
   */
  recordRefusal({ messageName = null, ...refusal }: RefusedInboundEvent): void {
    const receivedAt = this.clock.now();
    this.#refusalCounter.count({ ...refusal, eventId: createRandomId(receivedAt), messageName, receivedAt, count: 1 });
  }

  /** Resolves when all refusals so far are recorded. */
  flush(): Promise<void> {
    return this.#refusalCounter.flush();
  }
}
