import { Anthropic } from '@anthropic-ai/sdk';
import { modelFetch } from '@countersign/core/plugin';
import type { AnthropicSettings } from './configuration.js';

/** What the API needs, and nothing of what the library adds: neither the platform, nor traces, nor headers from the environment. */
const HEADERS: readonly string[] = [
  'accept',
  'content-type',
  'authorization',
  'anthropic-version',
  'idempotency-key',
  'user-agent',
];

/** Ours is that of the bytes, which also holds in the midst of an answer. */
const NO_TIMEOUT_MS = 2_147_483_647;

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The library's client, of our settings alone: environment and profiles, which it would read, are not asked. */
export function anthropicClient({ BaseUrl, ApiKey, Timeout, MaxBytes }: AnthropicSettings): Anthropic {
  return new Anthropic({
    baseURL: BaseUrl,
    apiKey: ApiKey.reveal(),
    webhookKey: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logger: SILENT,
    logLevel: 'off',
    openTelemetry: false,
    defaultHeaders: { 'User-Agent': 'Countersign' },
    fetch: modelFetch({ idleMs: Timeout, maxBytes: MaxBytes, headers: HEADERS }),
  });
}

function ignore(): void {
  // What it would log holds prompts and answers.
}
