import { z } from 'zod';
import { defineRoute } from '../define-route.js';
import { jsonObjectSchema } from '../schemas/common.js';
import { jsonResponse } from './json-response.js';

export const metaRoutes = {
  getOpenApi: defineRoute({
    operationId: 'getOpenApi',
    method: 'get',
    path: '/openapi/v1.json',
    tag: 'meta',
    summary: 'Get the OpenAPI document',
    role: 'anonymous',
    headers: z.object({ 'if-none-match': z.string().optional() }),
    responses: {
      200: jsonResponse(jsonObjectSchema, 'An OpenAPI 3.1 document.', ['ETag']),
      304: { description: 'Unchanged.', headers: ['ETag'] },
    },
    errors: [],
  }),
  getApiDocs: defineRoute({
    operationId: 'getApiDocs',
    method: 'get',
    path: '/api/docs',
    tag: 'meta',
    summary: 'Browse the API documentation',
    role: 'anonymous',
    responses: { 200: { description: 'A self-contained page.', content: { 'text/html': z.string() } } },
    errors: [],
  }),
  getMetrics: defineRoute({
    operationId: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'meta',
    summary: 'Get the metrics',
    description: 'Returns the metrics in the Prometheus text format.',
    role: 'viewer',
    isProbe: true,
    responses: { 200: { description: 'The metrics.', content: { 'text/plain': z.string() } } },
    errors: [],
  }),
};
