import { defineRoute } from '../define-route.js';
import { engineHealthSchema, liveSchema, readySchema, runtimeSchema } from '../schemas/health.js';
import { json } from './respond.js';

const common = { method: 'get', tag: 'health', role: 'anonymous', errors: [] } as const;

export const healthRoutes = {
  getLive: defineRoute({
    ...common,
    operationId: 'getLive',
    path: '/api/health/live',
    summary: 'Liveness',
    description: 'Returns 200 while the process serves requests; checks nothing else.',
    responses: { 200: json(liveSchema, 'The process is alive.') },
  }),
  getReady: defineRoute({
    ...common,
    operationId: 'getReady',
    path: '/api/health/ready',
    summary: 'Readiness',
    description:
      'Whether the server can work now. Operators also get each check and the versions; other callers only get the status and the mode.',
    detailsRole: 'operator',
    responses: {
      200: json(readySchema, 'Ready, perhaps with warnings.'),
      503: json(readySchema, 'Not ready; operators see the failed checks.', ['Retry-After']),
    },
  }),
  getRuntime: defineRoute({
    ...common,
    operationId: 'getRuntime',
    path: '/api/health/runtime',
    summary: 'Get the workflow runtime',
    description: 'The runtime mode. Operators also get the version and the components of this process.',
    detailsRole: 'operator',
    responses: { 200: json(runtimeSchema, 'The runtime mode and this instance.') },
  }),
  getEngine: defineRoute({
    ...common,
    operationId: 'getEngine',
    path: '/api/health/engine',
    summary: 'Workflow engine',
    description:
      'Topology and status of the external workflow engine, if one is configured. Only operators get warnings.',
    detailsRole: 'operator',
    responses: { 200: json(engineHealthSchema, 'The engine.') },
  }),
};
