/** What a provider says of a call that came to nothing, in whatever form. */
export interface SaidError {
  readonly detail: string | undefined;
  /** Codes, types and names of quotas that it gives, in lower case. */
  readonly codes: readonly string[];
  /** What it asks to be left alone for, where its body tells (`google.rpc.RetryInfo`). */
  readonly retryAfterMs?: number;
}

/** An answer of a provider that is an error. Thrown within `fetch`, so that client libraries neither read nor shorten it. */
export class ModelErrorBody extends Error {
  override readonly name = 'ModelErrorBody';

  constructor(
    /** `undefined` where the answer says by its body alone that it is none. */
    readonly status: number | undefined,
    readonly headers: Headers,
    readonly said: SaidError,
  ) {
    // What a provider says may hold a key.
    super('The model provider answers with an error.');
  }
}

/** Members that hold what went wrong, in the order in which they are looked at, and those that hold a code of it. */
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
/** Where MiniMax tells how each request has ended, with a code of 0 where all is well. */
const OUTCOME = 'base_resp';
const CODES = ['code', 'type', 'status', 'error_code', 'error_type', 'status_code', 'quotaId'] as const;
/** What the model wrote that Groq can't read. It may come without a code, and may be empty. */
const FAILED = 'failed_generation';
/** Where something that is no error has its contents. */
const CONTENTS = ['choices', 'data', 'content', 'usage', 'delta', 'models', 'output'] as const;

const MAX_DEPTH = 10;
const MAX_ITEMS = 10;
const MAX_LINES = 1_000;
/** Of an error within the text of another one, in characters. */
const LONGEST_WITHIN = 65_536;

/** What is found on the way. */
interface Found {
  readonly codes: string[];
  retryAfterMs?: number;
}

/**
 * What an error says: `{error: {message}}`, `[{error}]`, `{detail}`, `{message}`, `{errors: […]}`, or any other text, also if
 * that is JSON again.
 */
export function readError(body: unknown): SaidError {
  const found: Found = { codes: [] };
  const detail = detailIn(body, found, 0);
  return { detail, ...found };
}

/** What the text of an error says, which may be JSON. */
export function readErrorText(text: string): SaidError {
  try {
    const said = readError(JSON.parse(text) as unknown);
    return said.detail === undefined ? { ...said, detail: text } : said;
  } catch {
    return errorLine(text) ?? { detail: text, codes: [] };
  }
}

/** The error among lines of JSON. */
function errorLine(text: string): SaidError | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  for (const line of text.split('\n', MAX_LINES)) {
    try {
      const said = errorWithin(JSON.parse(line));
      if (said !== undefined) return said;
    } catch {
      // The last line may be cut off.
    }
  }
  return undefined;
}

/** The error that an answer is, though its status says otherwise; `undefined` where it is none. */
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
  // The quotas that are used up (`google.rpc.QuotaFailure`).
  detailIn(value.violations, found, depth + 1);
  const details = [...DETAILS, OUTCOME].flatMap((name) => detailIn(value[name], found, depth + 1) ?? []);
  const within = detailIn((value.metadata as { readonly raw?: unknown } | undefined)?.raw, found, depth + 1);
  const shown = details.slice(0, typeof value.error === 'string' ? 2 : 1);
  const all = [...shown, ...(within === undefined ? [] : [within])];
  return all.length === 0 ? undefined : [...placeOf(value.loc), ...new Set(all)].join(': ');
}

/** Gateways pass on the error of another API as a text. */
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
  // A word is a label, or a code.
  if (typeof error === 'string' && /^\w+$/.test(error)) found.codes.push(error.toLowerCase());
  const seconds = typeof retryDelay === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(retryDelay)?.[1] : undefined;
  if (seconds !== undefined) found.retryAfterMs = Math.max(found.retryAfterMs ?? 0, Number(seconds) * 1_000);
}

/** Where in the request something is wrong, as FastAPI and others tell it. */
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
