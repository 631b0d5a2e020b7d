import type { ZodOpenApiOperationObject, ZodOpenApiRequestBodyObject } from 'zod-openapi';
import { getBodyContentTypes, type RouteDefinition } from '../define-route.js';
import { buildRequestHeaders } from './headers.js';
import { toDocumentedTypes } from './media-types.js';
import { buildResponses } from './responses.js';

/** Returns the OpenAPI operation of a route. */
export function buildOperation(route: RouteDefinition): ZodOpenApiOperationObject {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, describeRole(route)].filter(Boolean).join('\n\n'),
    security: buildSecurity(route),
    ...(route.deprecated ? { deprecated: true } : {}),
    requestParams: {
      ...(route.params ? { path: route.params } : {}),
      ...(route.query ? { query: route.query } : {}),
      header: buildRequestHeaders(route),
    },
    ...(route.body ? { requestBody: buildRequestBody(route) } : {}),
    responses: buildResponses(route),
  };
}

/**
 * Returns the security requirement. OpenAPI 3.1 allows role names for any scheme; an empty requirement makes the token
 * optional.
 */
function buildSecurity({ role, detailsRole }: RouteDefinition): ZodOpenApiOperationObject['security'] {
  if (role !== 'anonymous') return [{ bearer: [role] }];
  return detailsRole === undefined ? [] : [{}, { bearer: [detailsRole] }];
}

function describeRole({ role, roleSetting, detailsRole }: RouteDefinition): string {
  const setting = roleSetting ? ` by default; \`${roleSetting}\` sets another role` : '';
  if (detailsRole !== undefined)
    return `Requires no token. Details require the role \`${detailsRole}\`; an invalid token counts as no token.`;
  return role === 'anonymous' ? `Requires no token${setting}.` : `Requires the role \`${role}\`${setting}.`;
}

function buildRequestBody(route: RouteDefinition): ZodOpenApiRequestBodyObject {
  const content = getBodyContentTypes(route)
    .flatMap(toDocumentedTypes)
    .map((type) => [
      type,
      { schema: route.body, ...(route.requestExamples ? { examples: { ...route.requestExamples } } : {}) },
    ]);
  return { required: !route.bodyOptional, content: Object.fromEntries(content) };
}
