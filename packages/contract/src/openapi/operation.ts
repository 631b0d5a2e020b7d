import type { ZodOpenApiOperationObject, ZodOpenApiRequestBodyObject } from 'zod-openapi';
import { bodyContentTypes, type RouteDefinition } from '../define-route.js';
import { requestHeaders } from './headers.js';
import { documentedTypes } from './media-types.js';
import { responsesOf } from './responses.js';

/** Returns the OpenAPI operation of a route. */
export function operationOf(route: RouteDefinition): ZodOpenApiOperationObject {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, roleSentence(route)].filter(Boolean).join('\n\n'),
    security: securityOf(route),
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

/**
 * Returns the security requirement. OpenAPI 3.1 allows roles for any scheme; an empty requirement makes the others
 * optional.
 */
function securityOf({ role, detailsRole }: RouteDefinition): ZodOpenApiOperationObject['security'] {
  if (role !== 'anonymous') return [{ bearer: [role] }];
  return detailsRole === undefined ? [] : [{}, { bearer: [detailsRole] }];
}

function roleSentence({ role, roleSetting, detailsRole }: RouteDefinition): string {
  const setting = roleSetting ? ` by default; \`${roleSetting}\` sets another` : '';
  if (detailsRole !== undefined)
    return `Requires no token. Details require the role \`${detailsRole}\`; an invalid token counts as no token.`;
  return role === 'anonymous' ? `Requires no token${setting}.` : `Requires the role \`${role}\`${setting}.`;
}

function requestBodyOf(route: RouteDefinition): ZodOpenApiRequestBodyObject {
  const content = bodyContentTypes(route)
    .flatMap(documentedTypes)
    .map((type) => [
      type,
      { schema: route.body, ...(route.requestExamples ? { examples: { ...route.requestExamples } } : {}) },
    ]);
  return { required: !route.bodyOptional, content: Object.fromEntries(content) };
}
