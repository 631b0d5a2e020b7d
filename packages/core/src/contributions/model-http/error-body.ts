/** An error reported by a provider, in any format. */
export interface SaidError {
  readonly detail: string | undefined;
  /** Codes, types and quota names from the error, in lower case. */
  readonly codes: readonly string[];
  /** Requested retry delay from the body (`google.rpc.RetryInfo`). */
  readonly retryAfterMs?: number;
}

/**
 * Thrown when a provider responds with an error. Thrown inside `fetch`, so that client libraries neither read nor
 * shorten the body.
 */
export class ModelErrorBody extends Error {
  override readonly name = 'ModelErrorBody';

  constructor(
    /** `undefined` if only the body shows that the response is an error. */
    readonly status: number | undefined,
    readonly headers: Headers,
    readonly said: SaidError,
  ) {
    // The provider's text may contain a key.
    super('The model provider responded with an error.');
  }
}

/** Members that contain the error message, in order of preference. `CODES` lists those that contain an error code. */
const DETAILS = [
  'error',
  'errors',
  'message',
  'detail',
  'details',
  'msg',
  'error_message',
  'error_msg',
  'reason',
  'status_msg',
] as const;
/** MiniMax reports the outcome of every request in this member; code 0 means success. */
const OUTCOME = 'base_resp';
const CODES = ['code', 'type', 'status', 'error_code', 'error_type', 'status_code', 'quotaId'] as const;
/** Model output that Groq could not parse. It may come without a code and may be empty. */
const FAILED = 'failed_generation';
/** Members that contain the content of a successful response. */
const CONTENTS = ['choices', 'data', 'content', 'usage', 'delta', 'models', 'output'] as const;

const MAX_DEPTH = 10;
const MAX_ITEMS = 10;
const MAX_LINES = 1_000;
/** Maximum length of an error nested in the text of another error, in characters. */
const LONGEST_WITHIN = 65_536;

/** Data collected while an error is read. */
interface Found {
  readonly codes: string[];
  retryAfterMs?: number;
}

/**
 * Reads an error from `{error: {message}}`, `[{error}]`, `{detail}`, `{message}`, `{errors: […]}`, or any other text,
 * even if the text contains JSON.
 */
export function readError(body: unknown): SaidError {
  const found: Found = { codes: [] };
  const detail = detailIn(body, found, 0);
  return { detail, ...found };
}

/** Reads an error from text, which may be JSON. */
export function readErrorText(text: string): SaidError {
  try {
    const said = readError(JSON.parse(text) as unknown);
    return said.detail === undefined ? { ...said, detail: text } : said;
  } catch {
    return errorLine(text) ?? { detail: text, codes: [] };
  }
}

/** Returns the first error in JSON lines. */
function errorLine(text: string): SaidError | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  for (const line of text.split('\n', MAX_LINES)) {
    try {
      const said = errorWithin(JSON.parse(line));
      if (said !== undefined) return said;
    } catch {
      // The last line may be truncated.
    }
  }
  return undefined;
}

/** Returns the error in a response whose status indicates success; `undefined` if the response is not an error. */
export function errorWithin(body: unknown): SaidError | undefined {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(first)) return undefined;
  const isError =
    isSomething(first.error) ||
    isFailed(first[OUTCOME]) ||
    first.object === 'error' ||
    first.type === 'error' ||
    (!CONTENTS.some((name) => name in first) && DETAILS.some((name) => isSomething(first[name])));
  if (!isError) return undefined;
  const said = readError(body);
  return said.detail === undefined && said.codes.length === 0 ? undefined : said;
}

function detailIn(value: unknown, found: Found, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : (detailWithin(value, found, depth) ?? value);
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) {
    const details = value.slice(0, MAX_ITEMS).flatMap((item) => detailIn(item, found, depth + 1) ?? []);
    return details.length === 0 ? undefined : [...new Set(details)].join('; ');
  }
  if (!isObject(value)) return undefined;
  readCodes(value, found);
  // Exhausted quotas (`google.rpc.QuotaFailure`).
  detailIn(value.violations, found, depth + 1);
  const details = [...DETAILS, OUTCOME].flatMap((name) => detailIn(value[name], found, depth + 1) ?? []);
  const within = detailIn((value.metadata as { readonly raw?: unknown } | undefined)?.raw, found, depth + 1);
  const shown = details.slice(0, typeof value.error === 'string' ? 2 : 1);
  const all = [...shown, ...(within === undefined ? [] : [within])];
  return all.length === 0 ? undefined : [...placeOf(value.loc), ...new Set(all)].join(': ');
}

/** Reads an error that a gateway passes on as text. */
function detailWithin(text: string, found: Found, depth: number): string | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > LONGEST_WITHIN) return undefined;
  try {
    return detailIn(JSON.parse(text), found, depth + 1);
  } catch {
    return undefined;
  }
}

function readCodes(value: Readonly<Record<string, unknown>>, found: Found): void {
  for (const name of CODES) {
    const code = value[name];
    if (typeof code === 'string' || typeof code === 'number') found.codes.push(String(code).toLowerCase());
  }
  const { error, retryDelay, [FAILED]: failed } = value;
  if (typeof failed === 'string') found.codes.push(FAILED);
  // A single word is a label or a code.
  if (typeof error === 'string' && /^\w+$/.test(error)) found.codes.push(error.toLowerCase());
  const seconds = typeof retryDelay === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(retryDelay)?.[1] : undefined;
  if (seconds !== undefined) found.retryAfterMs = Math.max(found.retryAfterMs ?? 0, Number(seconds) * 1_000);
}

/** Returns the location of the error in the request, as FastAPI and others report it. */
function placeOf(loc: unknown): readonly string[] {
  if (!Array.isArray(loc)) return [];
  const names = loc.slice(0, MAX_ITEMS).filter((name) => typeof name === 'string' || typeof name === 'number');
  return names.length === 0 ? [] : [names.join('.')];
}

function isFailed(outcome: unknown): boolean {
  return isObject(outcome) && isSomething(outcome['status_code']) && Number(outcome['status_code']) !== 0;
}

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
