import { z } from 'zod';
import { getBodyContentTypes, type RouteDefinition } from './define-route.js';
import { type ErrorCode, escapePointer, findJsonProblem } from '@countersign/model';
import type { FieldError } from './schemas/problem.js';

/** A request before validation, with a parsed body if it is JSON. */
export interface RawRequest {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

type SchemaOutput<T, Else> = T extends z.ZodType ? z.output<T> : Else;

/** A request of route `R` after validation, with defaults. */
export interface ValidRequest<R extends RouteDefinition> {
  readonly params: SchemaOutput<R['params'], Record<string, never>>;
  readonly query: SchemaOutput<R['query'], Record<string, never>>;
  /** The body; `undefined` if the body is signed or not JSON, because the server then reads it separately. */
  readonly body: SchemaOutput<R['body'], undefined> | (R extends { bodyOptional: true } ? undefined : never);
}

export type ValidationResult<R extends RouteDefinition> =
  | { readonly ok: true; readonly request: ValidRequest<R> }
  | { readonly ok: false; readonly code: ErrorCode; readonly errors: FieldError[] };

const MAX_ERRORS = 100;
const EMPTY_SCHEMA = z.strictObject({});

/**
 * Validates a request against its route: first the path (a malformed id results in a not-found code, an invalid name in
 * `validation_failed`), then the query, then the body. The messages never repeat a value, which may be a secret.
 */
export function validateRequest<R extends RouteDefinition>(route: R, raw: RawRequest): ValidationResult<R> {
  const params = (route.params ?? EMPTY_SCHEMA).safeParse({ ...(raw.params as object) });
  if (!params.success) {
    const invalidNames = params.error.issues.map(({ path }) => path[0]);
    return {
      ok: false,
      code: invalidNames.every((name) => name === route.chosenName)
        ? 'validation_failed'
        : getNotFoundCode(route, invalidNames),
      errors: toFieldErrors(params.error, '/path'),
    };
  }
  // A null-prototype copy: Koa's query has no prototype, and a key named __proto__ must stay a plain, unknown key.
  const query = (route.query ?? EMPTY_SCHEMA).safeParse(Object.assign(Object.create(null) as object, raw.query));
  if (!query.success) {
    return { ok: false, code: 'invalid_parameter', errors: toFieldErrors(query.error, '/query') };
  }
  const body = validateBody(route, raw.body);
  if (!body.ok) {
    return body;
  }
  return { ok: true, request: { params: params.data, query: query.data, body: body.value } as ValidRequest<R> };
}

/** Returns `run_not_found` if the id of the run is malformed, even if the route refers to a part of the run. */
function getNotFoundCode(route: RouteDefinition, invalidNames: readonly unknown[]): ErrorCode {
  return invalidNames.includes('runId') ? 'run_not_found' : (route.notFound ?? 'not_found');
}

function validateBody(
  route: RouteDefinition,
  body: unknown,
): { ok: true; value: unknown } | { ok: false; code: ErrorCode; errors: FieldError[] } {
  if (
    !route.body ||
    route.signed ||
    !getBodyContentTypes(route).includes('application/json') ||
    (body === undefined && route.bodyOptional)
  ) {
    return { ok: true, value: undefined };
  }
  const jsonProblem = findJsonProblem(body);
  if (jsonProblem) {
    return {
      ok: false,
      code: jsonProblem.code === 'polluting_key' ? 'polluting_key' : 'validation_failed',
      errors: [jsonProblem],
    };
  }
  const parsed = route.body.safeParse(body);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, code: 'validation_failed', errors: toFieldErrors(parsed.error) };
}

/**
 * Converts the issues of a failed validation to the `errors` of a problem document. Each pointer starts with `base`.
 */
export function toFieldErrors(error: z.ZodError, base = ''): FieldError[] {
  return error.issues
    .flatMap((issue): FieldError[] => {
      const pointer = base + issue.path.map((segment) => `/${escapePointer(String(segment))}`).join('');
      if (issue.code === 'unrecognized_keys') {
        return issue.keys.map((key) => ({
          pointer: `${pointer}/${escapePointer(key)}`,
          code: 'unknown_field',
          message: 'Unknown field.',
        }));
      }
      if (isMissing(issue)) {
        return [{ pointer, code: 'missing', message: 'Required.' }];
      }
      return [{ pointer, code: issue.code === 'custom' ? 'invalid' : issue.code, message: issue.message }];
    })
    .slice(0, MAX_ERRORS);
}

/**
 * Returns whether a field is missing. zod and `jsonValueSchema` report this only in the message. The issue must not
 * contain `input`, which may be a secret.
 */
function isMissing(issue: z.core.$ZodIssue): boolean {
  return (
    (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) || issue.message === 'Required.'
  );
}
