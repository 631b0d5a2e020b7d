import { findInexactNumber } from '@countersign/model';
import { getBodyContentTypes, type RouteDefinition } from '../define-route.js';
import type { FetchResponse, UploadBody } from './fetch-like.js';
import { createInexactNumberProblem, ProblemError, createUnexpectedResponseProblem } from './problem-error.js';
import { withConnectionError, type RequestOptions, type RouteArguments, type Transport } from './transport.js';

/**
 * Returns whether a route gets its own method: it responds with JSON, and accepts neither raw bytes nor a signature.
 */
export function isJsonRoute(route: RouteDefinition): boolean {
  return (
    route.signed !== true &&
    !getBodyContentTypes(route).includes('*/*') &&
    Object.values(route.responses).some((response) => response.content?.['application/json'])
  );
}

/** Creates the method of a JSON route. `JsonMethods` derives its types from the same route. */
export function createJsonCall(transport: Transport, route: RouteDefinition) {
  return async (args: Record<string, unknown> = {}, options: RequestOptions = {}): Promise<unknown> =>
    transport.send(
      route,
      { ...splitArguments(route, args), body: encodeBody(route, args['body']) },
      options,
      (response) => readJson(response, options.signal),
    );
}

/** Parses a response body as JSON. A success response without JSON, for example from a proxy, is also an error. */
export async function readJson<T>(response: FetchResponse, signal?: AbortSignal): Promise<T> {
  const text = await withConnectionError(response.text(), signal);
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ProblemError(createUnexpectedResponseProblem(response));
  }
}

/** Splits combined arguments into path and query parameters. */
export function splitArguments(route: RouteDefinition, args: object): RouteArguments {
  const pickArguments = (names: object | undefined): Record<string, unknown> =>
    Object.fromEntries(Object.entries(args).filter(([name]) => names !== undefined && Object.hasOwn(names, name)));
  return { params: pickArguments(route.params?.shape), query: pickArguments(route.query?.shape) };
}

function encodeBody(route: RouteDefinition, body: unknown): UploadBody | undefined {
  if (body === undefined) {
    return undefined;
  }
  if (getBodyContentTypes(route)[0] !== 'application/json') return body as UploadBody;
  const inexact = findInexactNumber(body);
  if (inexact !== undefined) throw new ProblemError(createInexactNumberProblem(inexact));
  return JSON.stringify(body);
}
