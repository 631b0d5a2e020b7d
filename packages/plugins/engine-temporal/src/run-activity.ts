import type { FailureLog } from '@countersign/core/plugin';
import { ApplicationFailure, Context } from '@temporalio/activity';

/** Interval of heartbeats, in ms. Their responses tell the activity that it was cancelled. */
const HEARTBEAT_MS = 1_000;

/** Pause after a refusal, in ms. */
const REFUSAL_PAUSE_MS = 500;

/** Thrown by an activity that is to be executed again later. The message may be stored in Temporal. */
export class ActivityRefusal extends Error {
  /** @param pauseMs time until any server executes it again, in ms */
  constructor(
    message: string,
    readonly pauseMs: number = REFUSAL_PAUSE_MS,
  ) {
    super(message);
  }
}

/**
 * Runs an activity with heartbeats, which show that this server is alive. Its errors are only logged, because Temporal
 * keeps their messages, which may contain values of variables, and Countersign could not erase them there.
 *
 * @throws {ApplicationFailure} Temporal then repeats the activity, unless the workflow has cancelled it
 */
export async function runActivity<T>(failures: FailureLog, activity: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const heartbeats = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    const result = await activity();
    failures.recordSuccess();
    return result;
  } catch (error) {
    if (error instanceof ActivityRefusal) {
      const { message, pauseMs } = error;
      throw ApplicationFailure.create({ type: 'Refused', message, nextRetryDelay: pauseMs });
    }
    failures.recordFailure(error);
    throw ApplicationFailure.retryable('The server could not execute the activity. See its log.', 'ServerError');
  } finally {
    clearInterval(heartbeats);
  }
}
