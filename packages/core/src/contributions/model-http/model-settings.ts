import { z } from 'zod';
import { ModelError, type ModelPrice } from '../model-provider.js';
import { isReadableInTransit } from './is-readable-in-transit.js';

const PriceSchema = z.number().min(0);

/** Returns the schema of model prices in the configuration of providers, keyed by model name. */
export function createPricesSchema() {
  return z
    .record(
      z.string().min(1),
      z.strictObject({
        Input: PriceSchema.describe('Price per million tokens.'),
        Output: PriceSchema.describe('Price per million tokens.'),
        CacheRead: PriceSchema.optional().describe('Price per million tokens that are read from a cache.'),
        CacheWrite: PriceSchema.optional().describe('Price per million tokens that are written to a cache.'),
      }),
    )
    .default({});
}

export type ConfiguredPrices = Readonly<z.infer<ReturnType<typeof createPricesSchema>>>;

/** Returns the price of a model; `undefined` if none is configured. */
export function findConfiguredPrice(prices: ConfiguredPrices, model: string): ModelPrice | undefined {
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

/**
 * Refuses to send a key over an unencrypted connection.
 *
 * @throws {ModelError} `model_request_refused` if others could read the key in transit
 */
export function assertApiKeyEncryptedInTransit(provider: string, url: URL): void {
  if (isReadableInTransit(url))
    throw new ModelError(
      'model_request_refused',
      `The key of the model provider "${provider}" is not sent to ${url.host} without encryption. Use https.`,
      false,
    );
}

/**
 * Runs a request with a provider's library. Checks the signal afterwards, because the library ends an aborted stream as
 * if it were complete.
 *
 * @param toModelError converts an error of the library
 * @throws {ModelError} or the signal's abort reason
 */
export async function withModelErrors<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  toModelError: (error: unknown) => ModelError,
): Promise<T> {
  try {
    const result = await work();
    signal.throwIfAborted();
    return result;
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(error);
  }
}
