import { inject, injectable } from 'inversify';
import { ApiError, findJsonProblem, type JsonObject, MAX_NAME_LENGTH, randomId } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import { EnginePort, type ReceivedEvent } from '../ports/engine.js';
import { LoggerPort } from '../ports/logger.js';
import { StoragePort } from '../ports/storage.js';
import { RefusedEventCounter } from './refused-event-counter.js';

/** A delivery that its sender signed, and whose signature holds. */
export interface InboundDelivery {
  /** The way in: the id of the plugin. */
  readonly via: string;
  /** Which of the systems that send this way. */
  readonly source: string;
  /** The same again, of the same source, is the same delivery. */
  readonly idempotencyKey: string;
  readonly messageName: string;
  readonly correlationKey: string;
  /** Its fields become variables of the run. */
  readonly payload: JsonObject;
  /** How long it stays for runs that come to wait for it, in ms; 0 by default. */
  readonly bufferForMs?: number;
  /** SHA-256 (hex) of what the sender signed but for its time: the body as it came, and the id where that is signed, too. */
  readonly bodyDigest: string;
  /** Whether the same digest again is the same delivery, also with another key. */
  readonly oncePerBody?: boolean;
  readonly from: string | null;
  readonly traceId: string | null;
}

/** A delivery that was not taken. */
export interface RefusedDelivery {
  readonly via: string;
  /** `null` where nobody knows who sent it: what a stranger calls himself is not recorded. */
  readonly source: string | null;
  readonly code: string;
  readonly messageName?: string | null;
  readonly from: string | null;
  readonly traceId: string | null;
}

/** Takes what systems outside deliver, whatever the way in. A webhook verifies who it is from before. */
@injectable()
export class ReceiveInboundEvent {
  readonly #refused: RefusedEventCounter;

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(LoggerPort) log: LoggerPort,
  ) {
    this.#refused = new RefusedEventCounter(storage, log);
  }

  /**
   * Records a delivery together with what it does: it resumes the run of each workflow that has waited longest for the
   * message, or starts one. A delivery that was recorded before does nothing more and is told what came of it.
   *
   * @throws {ApiError} `invalid_event`, or what the run says that refuses it; nothing is recorded then, and the
   *   key is free.
   */
  receive(delivery: InboundDelivery): Promise<ReceivedEvent> {
    const { via, source, from, traceId, bufferForMs = 0, oncePerBody = false, ...event } = delivery;
    const problem = findJsonProblem({ source, idempotencyKey: event.idempotencyKey });
    if (problem !== undefined)
      throw new ApiError('invalid_event', `${problem.pointer} of the delivery: ${problem.message}`);
    if (
      event.idempotencyKey === '' ||
      event.idempotencyKey.length > MAX_NAME_LENGTH ||
      source.length > MAX_NAME_LENGTH
    ) {
      throw new ApiError('invalid_event', `The id of a delivery has 1 to ${MAX_NAME_LENGTH} characters.`);
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
   * Notes that a delivery was refused. Returns at once, so that the time of an answer tells nothing, and counts what is
   * refused for the same reason within a minute in one record, so that nobody can fill the database.
   */
  refuse({ messageName = null, ...refused }: RefusedDelivery): void {
    const receivedAt = this.clock.now();
    this.#refused.count({ ...refused, eventId: randomId(receivedAt), messageName, receivedAt, count: 1 });
  }

  /** Settles when all that was refused so far is recorded. */
  settled(): Promise<void> {
    return this.#refused.settled();
  }
}
