import type { FailureLog } from '@countersign/core/plugin';
import { ApplicationFailure, Context } from '@temporalio/activity';

/** Interval of heartbeats, in ms. Their responses tell the activity that it was cancelled. */
const HEARTBEAT_MS = 1_000;

/** Thrown by an activity that another server may be able to execute. The message may be stored in Temporal. */
export class ActivityRefusal extends Error {}

/** Pause after a refusal, in ms. */
const REFUSAL_PAUSE_MS = 500;

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
      const { message } = error;
      throw ApplicationFailure.create({ type: 'Refused', message, nextRetryDelay: REFUSAL_PAUSE_MS });
    }
    failures.recordFailure(error);
    throw ApplicationFailure.retryable('The server could not execute the activity. See its log.', 'ServerError');
  } finally {
    clearInterval(heartbeats);
  }
}
