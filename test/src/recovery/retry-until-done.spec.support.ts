import { ProblemError } from '@countersign/contract';
import { expect } from 'chai';

/** Repeats an action until there is a response. */
export async function retryOnServerLoss<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (error instanceof ProblemError || attempt === 3) throw error;
    }
  }
}

/** Does something unless it is already done, until there is a response. */
export async function retryUntilDone(isDone: () => Promise<boolean>, action: () => Promise<unknown>): Promise<void> {
  await retryOnServerLoss(async () => {
    if (!(await isDone())) await action();
  });
  expect(await isDone()).to.equal(true);
}
