import { createModelFetch } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { OpenAI } from 'openai';
import type { OpenAiSettings } from './configuration.js';

/** Headers that the API needs, except those that the library adds about the platform or from the environment. */
const ALLOWED_HEADERS: readonly string[] = [
  ...['accept', 'content-type', 'authorization', 'api-key'],
  ...['idempotency-key', 'user-agent'],
];

/**
 * Disables the library's timeout. `createModelFetch` has its own, which also applies between the chunks of a response.
 */
const NO_TIMEOUT_MS = 2_147_483_647;

const SILENT_LOGGER = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Creates the library's client from our settings only, without the environment variables that it would read. */
export function createOpenAiClient({ BaseUrl, ApiKey, Timeout, MaxBytes }: OpenAiSettings): OpenAI {
  const { root, query } = splitBaseUrl(BaseUrl);
  return new OpenAI({
    baseURL: root,
    defaultQuery: query,
    apiKey: ApiKey.isSet ? ApiKey.reveal() : 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logger: SILENT_LOGGER,
    logLevel: 'off',
    defaultHeaders: {
      'User-Agent': 'Countersign',
      ...keyHeaders(ApiKey, query),
    },
    fetch: createModelFetch({ idleMs: Timeout, maxBytes: MaxBytes, headers: ALLOWED_HEADERS, isEvent: isCompletion }),
  });
}

/** Returns whether a body is a whole completion. Some servers never stream: they send only this one part. */
function isCompletion(body: unknown): boolean {
  const choices = isJsonObject(body) ? body['choices'] : undefined;
  return Array.isArray(choices) && choices.some(isJsonObject);
}

/** Returns the base URL for listing language models. For an Azure deployment, this is the URL of its resource. */
export function getListingBaseUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.searchParams.has('api-version')) url.pathname = url.pathname.replace(/\/deployments\/[^/]+\/?$/, '');
  return url.href;
}

/** Returns the root of the API and its query, which every request needs, such as Azure's `api-version`. */
function splitBaseUrl(baseUrl: string): { readonly root: string; readonly query: Record<string, string> } {
  const url = new URL(baseUrl);
  const query = Object.fromEntries(url.searchParams);
  url.search = '';
  return { root: url.href, query };
}

/**
 * Returns the headers with the key. Azure APIs with dated versions use a separate header for the key and reserve the
 * `Authorization` header for tokens of Microsoft Entra ID.
 */
function keyHeaders(key: OpenAiSettings['ApiKey'], query: object): Record<string, string | null> {
  if (key.isSet && 'api-version' in query) return { 'Authorization': null, 'api-key': key.reveal() };
  return key.isSet ? { 'api-key': null } : { 'Authorization': null, 'api-key': null };
}

function ignore(): void {
  // Discards log output, which contains prompts and responses.
}
