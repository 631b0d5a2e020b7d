import type { LoggerPort } from '@countersign/core/plugin';
import type { ClaimedMessage, StoragePort } from '@countersign/core/ports';
import { computeExponentialBackoffMs, SYSTEM_ACTOR } from '@countersign/model';
import type { CommandQueue } from '../commands/command-queue.js';
import { KeyedCounter } from '../keyed-counter.js';
import type { EngineOptions } from '../engine-options.js';
import { isObsolete, isPermanentRefusal } from '../commands/error-classification.js';
import { BackgroundLoop } from '../background-loop.js';
import type { WorkflowCache } from '../caches/workflow-cache.js';
import type { Initiators } from './initiators.js';
import { ChildRuns } from './child-runs.js';
import type { Messages } from './messages.js';
import { Signals } from './signals.js';

/** Maximum number of messages that one process delivers concurrently. */
const MAX_IN_FLIGHT = 64;
/** If this many messages of one run are in flight, messages of other runs are claimed first. */
const CROWDED_RUN_THRESHOLD = MAX_IN_FLIGHT / 4;
/** Number of failed attempts after which failures are logged as errors. */
const MAX_WARN_ATTEMPTS = 4;
/**
 * How long a message counts as failing after its last attempt on this server, in ms. Longer than any pause between
 * attempts.
 */
const UNDELIVERED_TTL_MS = 900_000;
/**
 * Number of attempts to start a child run before an incident is raised on its call activity: after about 9 minutes with
 * the default pauses.
 */
const MAX_START_ATTEMPTS = 10;

/**
 * Delivers messages between runs. Each is delivered at least once and takes effect exactly once. Messages are rows that
 * any server can claim for the duration of a lease. A row is deleted in the transaction that applies the message, or
 * after it. If a server dies, another one claims its messages; a late repeated delivery has no effect. A failed message
 * is retried with exponential backoff and delays only the messages after it in its own queue.
 */
export class OutboxDispatcher {
  private readonly loop: BackgroundLoop;
  private readonly inFlight = new Map<string, Promise<void>>();
  /** In-flight messages by sending run. */
  private readonly inFlightByRun = new KeyedCounter();
  /**
   * Messages that this process failed to deliver more than {@link MAX_WARN_ATTEMPTS} times, with the time of the last
   * attempt (`performance.now()`).
   */
  private readonly lastFailedAtById = new Map<string, number>();
  private readonly children: ChildRuns;
  private readonly signals: Signals;

  constructor(
    private readonly storage: StoragePort,
    queue: CommandQueue,
    workflows: WorkflowCache,
    private readonly messages: Messages,
    private readonly initiators: Initiators,
    private readonly log: LoggerPort,
    private readonly options: Pick<EngineOptions, 'leaseMs' | 'pollMs' | 'settings'>,
  ) {
    this.loop = new BackgroundLoop('outbox', log, options.pollMs, () => this.runOnce());
    this.children = new ChildRuns(queue, workflows);
    this.signals = new Signals(storage, queue, (error, logFields) => this.handleSignalFailure(error, logFields));
  }

  start(): void {
    this.loop.start();
  }

  wake(): void {
    this.loop.wake();
  }

  /** Number of messages that this process failed to deliver more than {@link MAX_WARN_ATTEMPTS} times. */
  get failingCount(): number {
    // Another server may have delivered a message since.
    const cutoff = performance.now() - UNDELIVERED_TTL_MS;
    for (const [messageId, triedAt] of this.lastFailedAtById)
      if (triedAt < cutoff) this.lastFailedAtById.delete(messageId);
    return this.lastFailedAtById.size;
  }

  /** Claims no more messages, and waits for those in flight. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.inFlight.values());
  }

  private async runOnce(): Promise<number> {
    const limit = MAX_IN_FLIGHT - this.inFlight.size;
    if (limit <= 0) return this.options.pollMs;
    // Repeating a delivery is harmless, so the lease can be short. Messages of a server that died are then delivered
    // sooner.
    const leaseMs = this.options.leaseMs / 3;
    const excludedRunIds = this.inFlightByRun.keysWithAtLeast(CROWDED_RUN_THRESHOLD);
    const claimed = await this.storage.claimOutgoing({ limit, leaseMs, excludedRunIds });
    for (const each of claimed) this.startDelivery(each);
    if (excludedRunIds.length > 0 && claimed.length < limit)
      for (const each of await this.storage.claimOutgoing({ limit: limit - claimed.length, leaseMs }))
        this.startDelivery(each);
    return this.options.pollMs;
  }

  private startDelivery(claimed: ClaimedMessage): void {
    const { messageId } = claimed.message;
    // The lease of the message expired, and this process was the first to claim it again.
    if (this.inFlight.has(messageId)) return;
    const { runId } = claimed;
    if (runId !== null) this.inFlightByRun.increment(runId);
    const delivery = this.deliver(claimed).finally(() => {
      this.inFlight.delete(messageId);
      if (runId !== null) this.inFlightByRun.decrement(runId);
      // There is capacity for another message, and the next one of the same queue may follow.
      this.wake();
    });
    this.inFlight.set(messageId, delivery);
  }

  private async deliver(claimed: ClaimedMessage): Promise<void> {
    const { message, attempts, runId } = claimed;
    const { messageId, kind } = message;
    const fields = { messageId, kind, runId };
    try {
      try {
        await this.dispatch(claimed);
      } catch (error) {
        if (!isPermanentRefusal(error)) throw error;
        if (!isObsolete(error)) this.log.warn({ err: error, ...fields }, 'a message between runs was refused');
        await this.storage.deleteDelivered([messageId]);
      }
      this.lastFailedAtById.delete(messageId);
    } catch (error) {
      await this.postpone(messageId, attempts, { err: error, ...fields });
    }
  }

  private async startChild(
    message: Extract<ClaimedMessage['message'], { kind: 'child.start' }>,
    claimed: ClaimedMessage,
  ): Promise<void> {
    try {
      await this.children.start(message, await this.initiators.findInitiator(claimed));
    } catch (error) {
      if (isPermanentRefusal(error) || claimed.attempts < MAX_START_ATTEMPTS) throw error;
      await this.children.reportNotStarted(message, error);
    }
  }

  private async postpone(messageId: string, attempts: number, fields: object): Promise<void> {
    const { retryBackoffMs, retryBackoffMaxMs } = this.options.settings;
    const pauseMs = computeExponentialBackoffMs(attempts, retryBackoffMs, retryBackoffMaxMs);
    if (attempts > MAX_WARN_ATTEMPTS) this.lastFailedAtById.set(messageId, performance.now());
    this.log[attempts > MAX_WARN_ATTEMPTS ? 'error' : 'warn'](
      { ...fields, attempts, pauseMs },
      'could not deliver a message between runs; will retry',
    );
    try {
      await this.storage.postponeOutgoing(messageId, pauseMs);
    } catch (error) {
      // The message can be claimed again when its lease expires.
      this.log.warn({ err: error, messageId }, 'could not postpone a message between runs');
    }
  }

  private async dispatch(claimed: ClaimedMessage): Promise<void> {
    const { message, runId, actor } = claimed;
    switch (message.kind) {
      case 'child.start':
        return this.startChild(message, claimed);
      case 'child.cancel':
        return this.children.cancel(message);
      case 'parent.report':
        return this.children.report(message);
      case 'contributors':
        return this.children.addContributors(message);
      case 'message':
        return this.messages.publishThrown(runId, message);
      case 'signal':
        break;
    }
    const context = { actor: actor ?? SYSTEM_ACTOR, from: runId === null ? null : `run:${runId}`, traceId: null };
    await this.signals.deliver(message, context, await this.initiators.findInitiator(claimed));
    // A signal is delivered by one command for each run, so its message is deleted after all of them. Messages of the
    // other kinds are deleted together with their effect.
    await this.storage.deleteDelivered([message.messageId]);
  }

  /**
   * Logs a permanent refusal, so that it does not prevent delivery to other runs. Rethrows other errors, so that the
   * delivery is retried.
   */
  private handleSignalFailure(error: unknown, logFields: object): void {
    if (!isPermanentRefusal(error)) throw error;
    this.log.warn({ err: error, ...logFields }, 'a signal was refused');
  }
}
