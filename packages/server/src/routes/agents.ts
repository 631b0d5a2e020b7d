import type { Handlers } from '../app/route-context.js';
import { omitUndefined } from './runs.js';

export const agentHandlers: Pick<Handlers, 'listAgents' | 'getAgentWork' | 'listTools' | 'acceptTool'> = {
  listAgents: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return { body: services.app.agents.listAgents({ limit, ...omitUndefined({ cursor }) }) };
  },

  getAgentWork: async ({ services, request }) => {
    const { runId, stepId } = request.params;
    const { limit, cursor } = request.query;
    return { body: await services.app.agentWork.get(runId, stepId, { limit, ...omitUndefined({ cursor }) }) };
  },

  listTools: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return { body: await services.app.agents.listTools({ limit, ...omitUndefined({ cursor }) }) };
  },

  acceptTool: async ({ services, request, caller }) => {
    const body = await services.app.agents.acceptTool(request.params.toolName, request.body.digest, caller);
    services.metrics.recordCommand('acceptTool');
    return { body };
  },
};
