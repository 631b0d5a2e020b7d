import type { ModelAnswer, ModelCall, ModelUsage } from '../model-provider.js';

/** A response that is still arriving. */
export interface ResponseInProgress {
  /** The responding model as named by the provider, once known. */
  readonly model: string | undefined;
  /** Returns the usage so far; `undefined` if nothing was written or counted yet. */
  used(): ModelUsage | undefined;
}

/** Reports the usage of a response if building the answer from it fails. */
export async function tellDiscarded(
  response: ResponseInProgress,
  discarded: ModelCall['discarded'],
  answer: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  try {
    return await answer();
  } catch (error) {
    const used = response.used();
    if (used !== undefined) discarded?.(used, response.model);
    throw error;
  }
}
