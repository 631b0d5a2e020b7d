import { ProblemError, type Problem } from '@countersign/contract';

/** Returns the problem of a refused call. */
export async function expectProblem(call: Promise<unknown>): Promise<Problem> {
  const problem = await findProblem(call);
  if (problem === undefined) throw new Error('Expected the call to be refused, but it succeeded.');
  return problem;
}

/** Returns the problem of a call; `undefined` if it succeeds. */
export async function findProblem(call: Promise<unknown>): Promise<Problem | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
}

/**
 * Returns the problems of the calls that were refused.
 *
 * @throws the reason of a call that failed otherwise
 */
export function listRefusals(results: readonly PromiseSettledResult<unknown>[]): Problem[] {
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [];
    if (result.reason instanceof ProblemError) return [result.reason.problem];
    throw result.reason;
  });
}
