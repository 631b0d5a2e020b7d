import { createDocument, type oas31, type ZodOpenApiPathItemObject } from 'zod-openapi';
import type { RouteDefinition } from '../define-route.js';
import { routes as allRoutes } from '../routes/index.js';
import { headerComponents } from './headers.js';
import { buildOperation } from './operation.js';
import { removeReferenceSiblings } from './remove-reference-siblings.js';
import { makeSchemasPortable } from './portable-schemas.js';
import { buildProblemExamples } from './responses.js';
import { allowUnknownResponseFields } from './schema-override.js';
import { TAGS } from './tags.js';

export type OpenApiDocument = oas31.OpenAPIObject;

export interface OpenApiOptions {
  /** The version of the server that serves the document. */
  readonly version: string;
  /** All served routes, including those of plugins. Default: the routes of the contract. */
  readonly routes?: readonly RouteDefinition[];
  /** Default: the origin of the document. */
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  /** Descriptions of the tags of added routes. */
  readonly tags?: Readonly<Record<string, string>>;
}

const DESCRIPTION = `Runs of BPMN workflows in which agents do the work and people answer for it.

Times are RFC 3339 in UTC with milliseconds, ids are UUIDs. Required fields are always present, and \`null\` if they have no value. Ignore unknown fields.
Lists are \`{items, nextCursor}\`: send \`nextCursor\` as \`cursor\` to get the next page.
Errors are RFC 9457 problem documents; distinguish them by \`code\`. 400 means that the request cannot be parsed, 422 that a parsed body is invalid. Unknown fields and parameters are refused.
Each role includes the ones before it: viewer, operator, approver, admin.`;

/**
 * Builds the OpenAPI 3.1 document of the given routes.
 *
 * @throws {TypeError} if two routes have the same operation id, or the same method and path
 */
export function buildOpenApiDocument({
  version,
  routes = Object.values(allRoutes),
  servers,
  tags,
}: OpenApiOptions): OpenApiDocument {
  const tagDescriptions: Record<string, string> = { ...TAGS, ...tags };
  const usedTags = new Set(routes.map((route) => route.tag));
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Countersign',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: (servers ?? [{ url: '/' }]).map((server) => ({ ...server })),
      tags: [...new Set([...Object.keys(tagDescriptions).filter((tag) => usedTags.has(tag)), ...usedTags])].map(
        (name) => ({
          name,
          ...(tagDescriptions[name] ? { description: tagDescriptions[name] } : {}),
        }),
      ),
      paths: buildPaths(routes),
      components: {
        schemas: collectStreamSchemas(routes),
        headers: headerComponents as Record<string, oas31.HeaderObject>,
        examples: buildProblemExamples(),
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'A token from the configured issuer, or a development token. `GET /api/auth/config` returns how to get one.',
          },
        },
      },
    },
    { override: allowUnknownResponseFields },
  );
  return makeSchemasPortable(removeReferenceSiblings(document));
}

function buildPaths(routes: readonly RouteDefinition[]): Record<string, ZodOpenApiPathItemObject> {
  const paths: Record<string, ZodOpenApiPathItemObject> = {};
  const operationIds = new Set<string>();
  for (const route of routes) {
    const pathItem = (paths[route.path] ??= {});
    if (operationIds.has(route.operationId) || pathItem[route.method]) {
      throw new TypeError(
        `Route ${route.operationId} (${route.method.toUpperCase()} ${route.path}) is declared twice.`,
      );
    }
    operationIds.add(route.operationId);
    pathItem[route.method] = buildOperation(route);
  }
  return paths;
}

/** Returns the schemas of streamed events, to which no response schema refers. */
function collectStreamSchemas(
  routes: readonly RouteDefinition[],
): Record<string, NonNullable<RouteDefinition['stream']>> {
  return Object.fromEntries(routes.flatMap(({ stream }) => (stream?.meta()?.id ? [[stream.meta()?.id, stream]] : [])));
}
