import type { ModelCompletion, ModelCall, ModelUsage } from '../model-provider.js';

/** A response that is still arriving. */
export interface ResponseInProgress {
  /** The responding model as named by the provider, once known. */
  readonly model: string | undefined;
  /** Returns the usage so far; `undefined` if nothing was written or counted yet. */
  getUsage(): ModelUsage | undefined;
}

/** Reads a response. Reports its usage if no completion can be built from it. */
export async function reportIfDiscarded(
  response: ResponseInProgress,
  onDiscarded: ModelCall['onDiscarded'],
  readResponse: () => Promise<ModelCompletion>,
): Promise<ModelCompletion> {
  try {
    return await readResponse();
  } catch (error) {
    const usage = response.getUsage();
    if (usage !== undefined) onDiscarded?.(usage, response.model);
    throw error;
  }
}
