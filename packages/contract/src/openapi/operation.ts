import type { ZodOpenApiOperationObject, ZodOpenApiRequestBodyObject } from 'zod-openapi';
import { bodyContentTypes, type RouteDefinition } from '../define-route.js';
import { requestHeaders } from './headers.js';
import { responsesOf } from './responses.js';

/** The OpenAPI operation of a route. */
export function operationOf(route: RouteDefinition): ZodOpenApiOperationObject {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, roleSentence(route)].filter(Boolean).join('\n\n'),
    // OpenAPI 3.1 allows roles to be named here for any scheme.
    security: route.role === 'anonymous' ? [] : [{ bearer: [route.role] }],
    ...(route.deprecated ? { deprecated: true } : {}),
    requestParams: {
      ...(route.params ? { path: route.params } : {}),
      ...(route.query ? { query: route.query } : {}),
      header: requestHeaders(route),
    },
    ...(route.body ? { requestBody: requestBodyOf(route) } : {}),
    responses: responsesOf(route),
  };
}

function roleSentence({ role, roleSetting }: RouteDefinition): string {
  const setting = roleSetting ? ` by default; \`${roleSetting}\` sets another` : '';
  return role === 'anonymous' ? `Needs no token${setting}.` : `Needs the role \`${role}\`${setting}.`;
}

function requestBodyOf(route: RouteDefinition): ZodOpenApiRequestBodyObject {
  const content = bodyContentTypes(route).map((type) => [
    type,
    { schema: route.body, ...(route.requestExamples ? { examples: { ...route.requestExamples } } : {}) },
  ]);
  return { required: !route.bodyOptional, content: Object.fromEntries(content) };
}
