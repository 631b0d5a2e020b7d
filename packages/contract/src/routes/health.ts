import { defineRoute } from '../define-route.js';
import { engineHealthSchema, liveSchema, readySchema, runtimeSchema } from '../schemas/health.js';
import { jsonResponse } from './json-response.js';

const healthRoute = { method: 'get', tag: 'health', role: 'anonymous', errors: [] } as const;

export const healthRoutes = {
  getLive: defineRoute({
    ...healthRoute,
    operationId: 'getLive',
    path: '/api/health/live',
    summary: 'Check liveness',
    description: 'Returns 200 while the process serves requests; checks nothing else.',
    responses: { 200: jsonResponse(liveSchema, 'The process is alive.') },
  }),
  getReady: defineRoute({
    ...healthRoute,
    operationId: 'getReady',
    path: '/api/health/ready',
    summary: 'Check readiness',
    description:
      'Reports whether the server is ready. Operators also get each check and the versions; other callers get only the status and the mode.',
    detailsRole: 'operator',
    responses: {
      200: jsonResponse(readySchema, 'Ready, perhaps with warnings.'),
      503: jsonResponse(readySchema, 'Not ready; operators see the failed checks.', ['Retry-After']),
    },
  }),
  getRuntime: defineRoute({
    ...healthRoute,
    operationId: 'getRuntime',
    path: '/api/health/runtime',
    summary: 'Get the workflow runtime',
    description: 'Returns the runtime mode. Operators also get the version and the components of this process.',
    detailsRole: 'operator',
    responses: { 200: jsonResponse(runtimeSchema, 'The runtime mode and the components of this process.') },
  }),
  getEngine: defineRoute({
    ...healthRoute,
    operationId: 'getEngine',
    path: '/api/health/engine',
    summary: 'Get the status of the workflow engine',
    description:
      'Returns the topology and status of the external workflow engine, if one is configured. Only operators get warnings.',
    detailsRole: 'operator',
    responses: { 200: jsonResponse(engineHealthSchema, 'The status of the engine.') },
  }),
};
