import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import type { CorrelatedMessage, CorrelateMessageRequest, StoragePort } from '@countersign/core/ports';
import { type OutgoingMessage, toRecordedActor } from '@countersign/model';
import type { CommandQueue } from '../commands/command-queue.js';
import { THROWN_MESSAGE_BUFFER_MS } from './buffer-times.js';
import type { Initiators } from './initiators.js';
import { MessageCorrelator } from './message-correlator.js';
import { checkMessage } from './check-message.js';

type ThrownMessage = Extract<OutgoingMessage, { kind: 'message' }>;

/** Publishes messages from outside and from runs, and reports the runs that they reached. */
export class Messages {
  readonly correlator: MessageCorrelator;
  /** Refusals to report to the senders of messages in progress, by message id. */
  private readonly refusals = new Map<string, { error?: unknown }>();

  constructor(
    private readonly storage: StoragePort,
    queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
    initiators: Initiators,
    private readonly clock: ClockPort,
    log: LoggerPort,
    private readonly leaseMs: number,
  ) {
    this.correlator = new MessageCorrelator(
      storage,
      queue,
      initiators,
      clock,
      log,
      (error, { messageId, workflowId }) => {
        const pendingRefusal = this.refusals.get(messageId);
        if (pendingRefusal === undefined)
          log.warn({ err: error, messageId, workflowId }, 'a workflow refused a message');
        else pendingRefusal.error = error;
      },
    );
  }

  /** @throws the refusal of a workflow, if the message reached no run */
  async publish(request: CorrelateMessageRequest & { readonly messageId: string }): Promise<CorrelatedMessage> {
    const { messageId, messageName, correlationKey, payload, bufferForMs = 0, context } = request;
    checkMessage(request);
    const publishedAt = this.clock.now();
    const origin = { runId: null, actor: toRecordedActor(context.actor), from: context.from, traceId: context.traceId };
    const message = {
      messageId,
      messageName,
      correlationKey,
      payload,
      origin,
      publishedAt,
      expiresAt: publishedAt + bufferForMs,
      fromOutbox: false,
    };
    const duplicate = (await this.storage.publishMessage(message, this.leaseMs)) !== 'published';
    const refusal: { error?: unknown } = {};
    if (!duplicate) this.refusals.set(messageId, refusal);
    try {
      // Correlates duplicates as well: the server that published the message may have died before it correlated.
      await this.correlator.correlate(message);
    } finally {
      if (!duplicate) this.refusals.delete(messageId);
    }
    const receipt = await this.storage.findMessageReceipt(messageId, this.clock.now(), { forget: !duplicate });
    const { runIds = [], startedRunIds = [], buffered = false } = receipt ?? {};
    if (refusal.error !== undefined && runIds.length + startedRunIds.length === 0) throw refusal.error;
    return { runIds, startedRunIds, buffered, duplicate };
  }

  /**
   * Publishes a message of the outbox, so that it is in its channel before the next message of its run is delivered.
   */
  async publishThrown(runId: string | null, thrown: ThrownMessage): Promise<void> {
    const { messageId, messageName, correlationKey, payload, contributors } = thrown;
    const publishedAt = this.clock.now();
    const origin = {
      runId,
      actor: null,
      from: runId === null ? null : `run:${runId}`,
      traceId: null,
      ...(contributors === undefined ? {} : { contributors }),
    };
    const message = {
      messageId,
      messageName,
      correlationKey,
      payload,
      origin,
      publishedAt,
      expiresAt: publishedAt + THROWN_MESSAGE_BUFFER_MS,
      fromOutbox: true,
    };
    if ((await this.storage.publishMessage(message, this.leaseMs)) === 'published')
      await this.correlator.correlate(message);
  }
}
