import { modelFetch } from '@countersign/core/plugin';
import { OpenAI } from 'openai';
import type { OpenAiSettings } from './configuration.js';

/** What the API needs, and nothing of what the library adds: neither the platform nor headers from the environment. */
const HEADERS: readonly string[] = ['accept', 'content-type', 'authorization', 'idempotency-key', 'user-agent'];

/** Ours is that of the bytes, which also holds in the midst of an answer. */
const NO_TIMEOUT_MS = 2_147_483_647;

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The library's client, of our settings alone: the environment, which it would read, is not asked. */
export function openAiClient({ BaseUrl, ApiKey, Timeout, MaxBytes }: OpenAiSettings): OpenAI {
  return new OpenAI({
    baseURL: BaseUrl,
    apiKey: ApiKey.isSet ? ApiKey.reveal() : 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logger: SILENT,
    logLevel: 'off',
    defaultHeaders: { 'User-Agent': 'Countersign', ...(ApiKey.isSet ? {} : { Authorization: null }) },
    fetch: modelFetch({ idleMs: Timeout, maxBytes: MaxBytes, headers: HEADERS }),
  });
}

function ignore(): void {
  // What it would log holds prompts and answers.
}
