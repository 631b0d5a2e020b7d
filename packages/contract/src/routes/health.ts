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
    description: 'Answers as long as the process serves requests; asks nothing else.',
    responses: { 200: json(liveSchema, 'The process is alive.') },
  }),
  getReady: defineRoute({
    ...common,
    operationId: 'getReady',
    path: '/api/health/ready',
    summary: 'Readiness',
    description:
      'Whether the server can do its work now. Operators also see each check and what runs here; other callers only see up or down, and the mode.',
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
    summary: 'Active workflow runtime',
    description: 'The runtime mode. Operators also see the version and what runs in this process.',
    detailsRole: 'operator',
    responses: { 200: json(runtimeSchema, 'The runtime mode and this instance.') },
  }),
  getEngine: defineRoute({
    ...common,
    operationId: 'getEngine',
    path: '/api/health/engine',
    summary: 'Workflow engine',
    description: 'Topology and status of an external workflow engine, where one is used. Only operators see warnings.',
    detailsRole: 'operator',
    responses: { 200: json(engineHealthSchema, 'The engine.') },
  }),
};
