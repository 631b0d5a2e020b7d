import { modelFetch } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { OpenAI } from 'openai';
import type { OpenAiSettings } from './configuration.js';

/** What the API needs, and nothing of what the library adds: neither the platform nor headers from the environment. */
const HEADERS: readonly string[] = [
  ...['accept', 'content-type', 'authorization', 'api-key'],
  ...['idempotency-key', 'user-agent'],
];

/** Ours is that of the bytes, which also holds in the midst of an answer. */
const NO_TIMEOUT_MS = 2_147_483_647;

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The library's client, of our settings alone: the environment, which it would read, is not asked. */
export function openAiClient({ BaseUrl, ApiKey, Timeout, MaxBytes }: OpenAiSettings): OpenAI {
  const { root, query } = addressOf(BaseUrl);
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
    logger: SILENT,
    logLevel: 'off',
    defaultHeaders: {
      'User-Agent': 'Countersign',
      ...keyHeaders(ApiKey, query),
    },
    fetch: modelFetch({ idleMs: Timeout, maxBytes: MaxBytes, headers: HEADERS, isEvent: isCompletion }),
  });
}

/** Some servers do not stream, whatever they are asked for: what they send is the last part, and the only one. */
function isCompletion(body: unknown): boolean {
  const choices = isJsonObject(body) ? body['choices'] : undefined;
  return Array.isArray(choices) && choices.some(isJsonObject);
}

/** Where the models of an API are listed: those of a deployment of Azure by the resource that it is of. */
export function listingUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.searchParams.has('api-version')) url.pathname = url.pathname.replace(/\/deployments\/[^/]+\/?$/, '');
  return url.href;
}

/** The root of the API and its query, which every request has, such as `api-version` of Azure. */
function addressOf(baseUrl: string): { readonly root: string; readonly query: Record<string, string> } {
  const url = new URL(baseUrl);
  const query = Object.fromEntries(url.searchParams);
  url.search = '';
  return { root: url.href, query };
}

/** Azure's APIs with dates as versions take a bearer token of a directory, and a key in a header of its own. */
function keyHeaders(key: OpenAiSettings['ApiKey'], query: object): Record<string, string | null> {
  if (key.isSet && 'api-version' in query) return { 'Authorization': null, 'api-key': key.reveal() };
  return key.isSet ? { 'api-key': null } : { 'Authorization': null, 'api-key': null };
}

function ignore(): void {
  // What it would log holds prompts and answers.
}
