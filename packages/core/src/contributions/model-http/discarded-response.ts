import type { ModelAnswer, ModelCall, ModelUsage } from '../model-provider.js';

/** A response while its parts arrive. */
export interface ResponseInProgress {
  /** As the provider names what answers, as soon as it does. */
  readonly model: string | undefined;
  /** What it has used so far; `undefined`: nothing was written or counted yet. */
  used(): ModelUsage | undefined;
}

/** Tells what a response has used where no answer becomes of it. */
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
