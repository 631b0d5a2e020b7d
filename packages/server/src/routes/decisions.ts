import type { Handlers } from '../app/route-context.js';
import { omitUndefined } from './runs.js';

export const decisionHandlers: Pick<Handlers, 'listDecisions' | 'getDecision' | 'deployDecisions'> = {
  listDecisions: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return { body: await services.app.dmnDecisions.list({ limit, ...omitUndefined({ cursor }) }) };
  },

  getDecision: async ({ services, request }) => ({
    body: await services.app.dmnDecisions.get(request.params.decisionId, request.query.version),
  }),

  deployDecisions: async ({ services, request, caller, basePath }) => {
    const { deployed, created } = await services.app.dmnDecisions.deploy(request.body, caller);
    services.metrics.recordCommand('deployDecisions');
    const [firstDecision] = deployed.decisions;
    if (!created || firstDecision === undefined) return { body: deployed };
    const location = `${basePath}/api/decisions/${encodeURIComponent(firstDecision.decisionId)}?version=${firstDecision.version}`;
    return { status: 201, body: deployed, headers: { Location: location } };
  },
};
