/** An error reported by a provider, in any format. */
export interface ReportedError {
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
export class ModelResponseError extends Error {
  override readonly name = 'ModelResponseError';

  constructor(
    /** `undefined` if only the body shows that the response is an error. */
    readonly status: number | undefined,
    readonly headers: Headers,
    readonly reported: ReportedError,
  ) {
    // The provider's text may contain a key.
    super('The model provider responded with an error.');
  }
}

/**
 * Members that contain the error message, in order of preference. `CODE_FIELDS` lists those that contain an error code.
 */
const DETAIL_FIELDS = [
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
const OUTCOME_FIELD = 'base_resp';
const CODE_FIELDS = ['code', 'type', 'status', 'error_code', 'error_type', 'status_code', 'quotaId'] as const;
/**
 * Member with output of the language model that Groq could not parse. It may be empty, and the error may have no code.
 */
const FAILED_GENERATION = 'failed_generation';
/** Members that contain the content of a successful response. */
const CONTENT_FIELDS = ['choices', 'data', 'content', 'usage', 'delta', 'models', 'output'] as const;

const MAX_DEPTH = 10;
const MAX_ITEMS = 10;
const MAX_LINES = 1_000;
/** Maximum length of an error nested in the text of another error, in characters. */
const MAX_EMBEDDED_CHARACTERS = 65_536;

/** Data collected while an error is read. */
interface CollectedCodes {
  readonly codes: string[];
  retryAfterMs?: number;
}

/**
 * Reads an error from `{error: {message}}`, `[{error}]`, `{detail}`, `{message}`, `{errors: […]}`, or any other text,
 * even if the text contains JSON.
 */
export function parseErrorBody(body: unknown): ReportedError {
  const collected: CollectedCodes = { codes: [] };
  const detail = findDetail(body, collected, 0);
  return { detail, ...collected };
}

/** Reads an error from text, which may be JSON. */
export function parseErrorText(text: string): ReportedError {
  try {
    const reportedError = parseErrorBody(JSON.parse(text) as unknown);
    return reportedError.detail === undefined ? { ...reportedError, detail: text } : reportedError;
  } catch {
    return findErrorLine(text) ?? { detail: text, codes: [] };
  }
}

/** Returns the first error in JSON lines. */
function findErrorLine(text: string): ReportedError | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  for (const line of text.split('\n', MAX_LINES)) {
    try {
      const reportedError = findError(JSON.parse(line));
      if (reportedError !== undefined) return reportedError;
    } catch {
      // The last line may be truncated.
    }
  }
  return undefined;
}

/** Returns the error in a response whose status indicates success; `undefined` if the response is not an error. */
export function findError(body: unknown): ReportedError | undefined {
  const firstItem: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(firstItem)) return undefined;
  const isError =
    isPresent(firstItem.error) ||
    isFailedOutcome(firstItem[OUTCOME_FIELD]) ||
    firstItem.object === 'error' ||
    firstItem.type === 'error' ||
    (!CONTENT_FIELDS.some((name) => name in firstItem) && DETAIL_FIELDS.some((name) => isPresent(firstItem[name])));
  if (!isError) return undefined;
  const reportedError = parseErrorBody(body);
  return reportedError.detail === undefined && reportedError.codes.length === 0 ? undefined : reportedError;
}

function findDetail(value: unknown, collected: CollectedCodes, depth: number): string | undefined {
  if (typeof value === 'string')
    return value.trim() === '' ? undefined : (findEmbeddedDetail(value, collected, depth) ?? value);
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) {
    const details = value.slice(0, MAX_ITEMS).flatMap((item) => findDetail(item, collected, depth + 1) ?? []);
    return details.length === 0 ? undefined : [...new Set(details)].join('; ');
  }
  if (!isObject(value)) return undefined;
  collectCodes(value, collected);
  // Exhausted quotas (`google.rpc.QuotaFailure`).
  findDetail(value.violations, collected, depth + 1);
  const details = [...DETAIL_FIELDS, OUTCOME_FIELD].flatMap(
    (name) => findDetail(value[name], collected, depth + 1) ?? [],
  );
  const embeddedDetail = findDetail(
    (value.metadata as { readonly raw?: unknown } | undefined)?.raw,
    collected,
    depth + 1,
  );
  const mainDetails = details.slice(0, typeof value.error === 'string' ? 2 : 1);
  const allDetails = [...mainDetails, ...(embeddedDetail === undefined ? [] : [embeddedDetail])];
  return allDetails.length === 0 ? undefined : [...fieldPath(value.loc), ...new Set(allDetails)].join(': ');
}

/** Reads an error that a gateway passes on as text. */
function findEmbeddedDetail(text: string, collected: CollectedCodes, depth: number): string | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_EMBEDDED_CHARACTERS) return undefined;
  try {
    return findDetail(JSON.parse(text), collected, depth + 1);
  } catch {
    return undefined;
  }
}

function collectCodes(value: Readonly<Record<string, unknown>>, collected: CollectedCodes): void {
  for (const name of CODE_FIELDS) {
    const code = value[name];
    if (typeof code === 'string' || typeof code === 'number') collected.codes.push(String(code).toLowerCase());
  }
  const { error, retryDelay, [FAILED_GENERATION]: failedGeneration } = value;
  if (typeof failedGeneration === 'string') collected.codes.push(FAILED_GENERATION);
  // A single word is a label or a code.
  if (typeof error === 'string' && /^\w+$/.test(error)) collected.codes.push(error.toLowerCase());
  const seconds = typeof retryDelay === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(retryDelay)?.[1] : undefined;
  if (seconds !== undefined) collected.retryAfterMs = Math.max(collected.retryAfterMs ?? 0, Number(seconds) * 1_000);
}

/** Returns the location of the error in the request, as FastAPI and others report it. */
function fieldPath(loc: unknown): readonly string[] {
  if (!Array.isArray(loc)) return [];
  const names = loc.slice(0, MAX_ITEMS).filter((name) => typeof name === 'string' || typeof name === 'number');
  return names.length === 0 ? [] : [names.join('.')];
}

function isFailedOutcome(outcome: unknown): boolean {
  return isObject(outcome) && isPresent(outcome['status_code']) && Number(outcome['status_code']) !== 0;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
