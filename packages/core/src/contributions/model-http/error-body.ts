/** What a provider says of a call that came to nothing, in whatever form. */
export interface SaidError {
  readonly detail: string | undefined;
  /** Codes and types that it gives, in lower case. */
  readonly codes: readonly string[];
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
] as const;
const CODES = ['code', 'type', 'status', 'error_code', 'error_type'] as const;
/** Where something that is no error has its contents. */
const CONTENTS = ['choices', 'data', 'content', 'usage', 'delta', 'models', 'output'] as const;

const MAX_DEPTH = 5;
const MAX_ITEMS = 10;

/** What an error says: `{error: {message}}`, `[{error}]`, `{detail}`, `{message}`, `{errors: […]}`, or any other text. */
export function readError(body: unknown): SaidError {
  const codes: string[] = [];
  const detail = detailIn(body, codes, 0);
  return { detail, codes };
}

/** What the text of an error says, which may be JSON. */
export function readErrorText(text: string): SaidError {
  try {
    const said = readError(JSON.parse(text) as unknown);
    return said.detail === undefined ? { ...said, detail: text } : said;
  } catch {
    return { detail: text, codes: [] };
  }
}

/** The error that an answer is, though its status says otherwise; `undefined` where it is none. */
export function errorWithin(body: unknown): SaidError | undefined {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(first)) return undefined;
  const isError =
    isSomething(first.error) ||
    first.object === 'error' ||
    first.type === 'error' ||
    (!CONTENTS.some((name) => name in first) && DETAILS.some((name) => isSomething(first[name])));
  if (!isError) return undefined;
  const said = readError(body);
  return said.detail === undefined && said.codes.length === 0 ? undefined : said;
}

function detailIn(value: unknown, codes: string[], depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) {
    const details = value.slice(0, MAX_ITEMS).flatMap((item) => detailIn(item, codes, depth + 1) ?? []);
    return details.length === 0 ? undefined : [...new Set(details)].join('; ');
  }
  if (!isObject(value)) return undefined;
  for (const name of CODES) {
    const code = value[name];
    if (typeof code === 'string' || typeof code === 'number') codes.push(String(code).toLowerCase());
  }
  const { error } = value;
  // A word is a label, or a code.
  if (typeof error === 'string' && /^\w+$/.test(error)) codes.push(error.toLowerCase());
  const details = DETAILS.flatMap((name) => detailIn(value[name], codes, depth + 1) ?? []);
  const within = detailIn((value.metadata as { readonly raw?: unknown } | undefined)?.raw, codes, depth + 1);
  const all = [...details.slice(0, typeof error === 'string' ? 2 : 1), ...(within === undefined ? [] : [within])];
  return all.length === 0 ? undefined : [...new Set(all)].join(': ');
}

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
