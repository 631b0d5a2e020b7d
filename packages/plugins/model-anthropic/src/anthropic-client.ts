import { Anthropic } from '@anthropic-ai/sdk';
import { createModelFetch } from '@countersign/core/plugin';
import type { AnthropicSettings } from './configuration.js';

/**
 * Headers that the API needs, without those that the library adds for the platform, for traces or from the environment.
 */
const ALLOWED_HEADERS: readonly string[] = [
  'accept',
  'content-type',
  'authorization',
  'anthropic-version',
  'idempotency-key',
  'user-agent',
];

/** Disables the library's timeout. `createModelFetch` has its own, which also applies within a response. */
const NO_TIMEOUT_MS = 2_147_483_647;

const SILENT_LOGGER = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Creates the library's client from our settings only, without the environment and profiles that it would read. */
export function createAnthropicClient({ BaseUrl, ApiKey, Timeout, MaxBytes }: AnthropicSettings): Anthropic {
  return new Anthropic({
    baseURL: BaseUrl,
    apiKey: ApiKey.reveal(),
    webhookKey: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logger: SILENT_LOGGER,
    logLevel: 'off',
    openTelemetry: false,
    defaultHeaders: { 'User-Agent': 'Countersign' },
    fetch: createModelFetch({ idleMs: Timeout, maxBytes: MaxBytes, headers: ALLOWED_HEADERS }),
  });
}

function ignore(): void {
  // Discards log output, which contains prompts and responses.
}
