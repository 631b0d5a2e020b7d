import { ProblemError } from '@countersign/contract';
import { expect } from 'chai';

/** Asks again where no answer came. */
export async function insist<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ProblemError || attempt === 3) throw error;
    }
  }
}

/** Does something unless it is done already, as often as it takes to get an answer. */
export async function unless(isDone: () => Promise<boolean>, act: () => Promise<unknown>): Promise<void> {
  await insist(async () => {
    if (!(await isDone())) await act();
  });
  expect(await isDone()).to.equal(true);
}
