import { ProblemError } from '@countersign/contract';
import { expect } from 'chai';

/** Repeats an action until there is a response. */
export async function insist<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ProblemError || attempt === 3) throw error;
    }
  }
}

/** Does something unless it is already done, until there is a response. */
export async function unless(isDone: () => Promise<boolean>, act: () => Promise<unknown>): Promise<void> {
  await insist(async () => {
    if (!(await isDone())) await act();
  });
  expect(await isDone()).to.equal(true);
}
