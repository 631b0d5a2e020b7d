import { z } from 'zod';
import type {
  oas31,
  ZodOpenApiMediaTypeObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { getErrorCodes, type RouteDefinition, type RouteResponse } from '../define-route.js';
import { ERROR_CODES, type ErrorCode, problemType } from '@countersign/model';
import { problemSchema } from '../schemas/problem.js';
import { buildHeaderRefs, type headerComponents } from './headers.js';
import { toDocumentedTypes } from './media-types.js';

type HeaderName = keyof typeof headerComponents;

/** Headers of an error response by status. */
const PROBLEM_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Returns `components.examples`: a problem document per code. */
export function buildProblemExamples(): Record<string, oas31.ExampleObject> {
  return Object.fromEntries(
    Object.entries(ERROR_CODES).map(([code, { status, title, retryable, description }]) => [
      code,
      {
        summary: title,
        value: {
          type: problemType(code),
          title,
          status,
          detail: description,
          code,
          instance: null,
          traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
          retryable,
          errors: [],
        },
      },
    ]),
  );
}

/** Returns all responses of a route: the declared ones, and its possible problems by status. */
export function buildResponses(route: RouteDefinition): ZodOpenApiResponsesObject {
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const [status, response] of Object.entries(route.responses)) {
    responses[status] = buildSuccessResponse(route, Number(status), response);
  }
  for (const [status, codes] of groupByStatus(getErrorCodes(route))) {
    const problem = buildProblemResponse(status, codes);
    const declared = responses[status];
    // A probe declares its own body for 503. The document then lists it and the problem document.
    responses[status] = declared ? { ...declared, content: { ...declared.content, ...problem.content } } : problem;
  }
  return responses as ZodOpenApiResponsesObject;
}

function buildSuccessResponse(
  route: RouteDefinition,
  status: number,
  response: RouteResponse,
): ZodOpenApiResponseObject {
  const headers: HeaderName[] = [...(response.headers ?? [])];
  if (route.idempotent && status < 300) {
    headers.push('Idempotent-Replayed');
  }
  const content = Object.fromEntries(
    Object.entries(response.content ?? {}).flatMap(([type, schema]) =>
      toDocumentedTypes(type).map((documentedType) => [
        documentedType,
        buildMediaType(route, status, documentedType, schema, response.example),
      ]),
    ),
  );
  return {
    description: response.description,
    headers: buildHeaderRefs(...headers),
    ...(response.content ? { content } : {}),
  };
}

function buildMediaType(
  route: RouteDefinition,
  status: number,
  type: string,
  schema: z.ZodType,
  example: unknown,
): ZodOpenApiMediaTypeObject {
  const responseSchema =
    route.dryRun && status === 200 && type === 'application/json' ? z.union([schema, route.dryRun]) : schema;
  const eventId = type === 'text/event-stream' ? route.stream?.meta()?.id : undefined;
  return {
    schema: responseSchema,
    ...(example === undefined ? {} : { example }),
    // OpenAPI 3.1 cannot describe the items of a stream (3.2 has `itemSchema`).
    ...(eventId === undefined ? {} : { 'x-event-data': { $ref: `#/components/schemas/${eventId}` } }),
  } as ZodOpenApiMediaTypeObject;
}

function groupByStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_CODES[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

function buildProblemResponse(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].description}`).join('\n\n'),
    headers: buildHeaderRefs(...(PROBLEM_HEADERS[status] ?? [])),
    content: {
      'application/problem+json': {
        schema: problemSchema,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
