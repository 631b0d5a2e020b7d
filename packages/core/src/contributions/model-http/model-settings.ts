import { ModelError, type ModelPrice } from '../model-provider.js';
import { isInClear } from './clear-text.js';

/** Prices as providers have them in their configuration: for a million tokens, by the name of the model. */
export type ConfiguredPrices = Readonly<Record<string, { readonly Input: number; readonly Output: number }>>;

/** What a model costs; `undefined` where nobody has configured it. */
export function configuredPrice(prices: ConfiguredPrices, model: string): ModelPrice | undefined {
  const found = Object.hasOwn(prices, model) ? prices[model] : undefined;
  return found === undefined ? undefined : { input: found.Input, output: found.Output };
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
