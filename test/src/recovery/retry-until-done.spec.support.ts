import { ProblemError } from '@countersign/contract';
import { expect } from 'chai';

/** Executes an action until there is a response, at most three times. */
export async function retryOnServerLoss<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (error instanceof ProblemError || attempt === 3) throw error;
    }
  }
}

/**
 * Executes an action unless it is already done, retries if there is no response, and checks that the action is done.
 */
export async function retryUntilDone(isDone: () => Promise<boolean>, action: () => Promise<unknown>): Promise<void> {
  await retryOnServerLoss(async () => {
    if (!(await isDone())) await action();
  });
  expect(await isDone()).to.equal(true);
}
