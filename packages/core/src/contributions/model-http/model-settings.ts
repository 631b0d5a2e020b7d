import { z } from 'zod';
import { ModelError, type ModelPrice } from '../model-provider.js';
import { isInClear } from './clear-text.js';

const price = z.number().min(0);

/** The prices of models, as providers have them in their configuration: by the name of the model. */
export function modelPrices() {
  return z
    .record(
      z.string().min(1),
      z.strictObject({
        Input: price.describe('For a million tokens.'),
        Output: price.describe('For a million tokens.'),
        CacheRead: price.optional().describe('For a million tokens that are read from a cache.'),
        CacheWrite: price.optional().describe('For a million tokens that are written to one.'),
      }),
    )
    .default({});
}

export type ConfiguredPrices = Readonly<z.infer<ReturnType<typeof modelPrices>>>;

/** What a model costs; `undefined` where nobody has configured it. */
export function configuredPrice(prices: ConfiguredPrices, model: string): ModelPrice | undefined {
  const found = Object.hasOwn(prices, model) ? prices[model] : undefined;
  if (found === undefined) return undefined;
  const { Input: input, Output: output, CacheRead: cacheRead, CacheWrite: cacheWrite } = found;
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

/** @throws {ModelError} `model_request_refused` where others could read a key on its way */
export function refuseKeyInClear(provider: string, url: URL): void {
  if (isInClear(url))
    throw new ModelError(
      'model_request_refused',
      `The key of the model provider "${provider}" is not sent to ${url.host} without encryption: use https.`,
      false,
    );
}

/**
 * Works with the library of a provider, which ends a stream that was aborted as if it were complete.
 *
 * @param explain what the library has thrown, as an error of ours
 * @throws {ModelError}, or what the signal was aborted with
 */
export async function unlessAborted<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  explain: (error: unknown) => ModelError,
): Promise<T> {
  try {
    const result = await work();
    signal.throwIfAborted();
    return result;
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error);
  }
}
