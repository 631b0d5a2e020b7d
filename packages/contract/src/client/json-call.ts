import { findInexactNumber } from '@countersign/model';
import type { FetchResponse, UploadBody } from './fetch-like.js';
import { createInexactNumberProblem, ProblemError, createUnexpectedResponseProblem } from './problem-error.js';
import { listPathParameters, type RouteCall } from './route-call.js';
import { withConnectionError, type RequestOptions, type RouteArguments, type Transport } from './transport.js';

/** Creates the method of a JSON route. `JsonMethods` derives its types from the same route. */
export function createJsonCall(transport: Transport, route: RouteCall) {
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
export function splitArguments(route: RouteCall, args: object): RouteArguments {
  const pickArguments = (names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
  return { params: pickArguments(listPathParameters(route)), query: pickArguments(route.query ?? []) };
}

function encodeBody(route: RouteCall, body: unknown): UploadBody | undefined {
  if (body === undefined) {
    return undefined;
  }
  if (route.contentType !== 'application/json') return body as UploadBody;
  const inexact = findInexactNumber(body);
  if (inexact !== undefined) throw new ProblemError(createInexactNumberProblem(inexact));
  return JSON.stringify(body);
}
