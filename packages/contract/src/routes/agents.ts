import { defineRoute } from '../define-route.js';
import { agentWorkQuerySchema, agentWorkSchema } from '../schemas/agent-work.js';
import {
  acceptToolBodySchema,
  agentListSchema,
  listAgentsQuerySchema,
  listToolsQuerySchema,
  toolListSchema,
  toolSchema,
} from '../schemas/agent.js';
import { stepParams, toolParams } from './params.js';
import { jsonResponse } from './json-response.js';

export const agentRoutes = {
  listAgents: defineRoute({
    operationId: 'listAgents',
    method: 'get',
    path: '/api/agents',
    tag: 'agents',
    summary: 'List agents',
    description: 'Current agent definitions, sorted by name.',
    role: 'viewer',
    query: listAgentsQuerySchema,
    responses: { 200: jsonResponse(agentListSchema, 'A page of agents.') },
    errors: [],
  }),
  getAgentWork: defineRoute({
    operationId: 'getAgentWork',
    method: 'get',
    path: '/api/runs/{runId}/steps/{stepId}/agent',
    tag: 'agents',
    summary: 'Get the activity of an agent in a step',
    description:
      'Agent turns and the proposed tool calls, with their policy decisions and results. Turns are paged, oldest first.',
    role: 'viewer',
    params: stepParams,
    notFound: 'step_not_found',
    query: agentWorkQuerySchema,
    responses: { 200: jsonResponse(agentWorkSchema, 'The activity of the agent so far.') },
    errors: ['run_not_found'],
  }),
  listTools: defineRoute({
    operationId: 'listTools',
    method: 'get',
    path: '/api/tools',
    tag: 'agents',
    summary: 'List tools',
    description:
      'Tools that agents may call, and tools that are stopped because their source changed them, sorted by name.',
    role: 'operator',
    query: listToolsQuerySchema,
    responses: { 200: jsonResponse(toolListSchema, 'A page of tools.') },
    errors: [],
  }),
  acceptTool: defineRoute({
    operationId: 'acceptTool',
    method: 'post',
    path: '/api/tools/{toolName}/accept',
    tag: 'agents',
    summary: 'Accept the current definition of a tool',
    description:
      'Lets agents call a tool again after its source changed it. `digest` identifies the definition that you reviewed; if the source has changed it since, the response is 409 `stale_digest`.',
    role: 'admin',
    params: toolParams,
    notFound: 'tool_not_found',
    body: acceptToolBodySchema,
    responses: { 200: jsonResponse(toolSchema, 'The tool.') },
    errors: ['stale_digest'],
  }),
};
