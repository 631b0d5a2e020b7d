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
import { json } from './respond.js';

export const agentRoutes = {
  listAgents: defineRoute({
    operationId: 'listAgents',
    method: 'get',
    path: '/api/agents',
    tag: 'agents',
    summary: 'List agents',
    description: 'The definitions that are in force, by name.',
    role: 'viewer',
    query: listAgentsQuerySchema,
    responses: { 200: json(agentListSchema, 'A page of agents.') },
    errors: [],
  }),
  getAgentWork: defineRoute({
    operationId: 'getAgentWork',
    method: 'get',
    path: '/api/runs/{runId}/steps/{stepId}/agent',
    tag: 'agents',
    summary: 'Get what an agent did in a step',
    description:
      'The turns of the model and the calls that it proposed, with what the policy said and what came of them. Turns are paged, oldest first.',
    role: 'viewer',
    params: stepParams,
    notFound: 'step_not_found',
    query: agentWorkQuerySchema,
    responses: { 200: json(agentWorkSchema, 'The work of the agent so far.') },
    errors: ['run_not_found'],
  }),
  listTools: defineRoute({
    operationId: 'listTools',
    method: 'get',
    path: '/api/tools',
    tag: 'agents',
    summary: 'List tools',
    description:
      'The tools that agents may call, and those that are stopped because their source has changed them, by name.',
    role: 'operator',
    query: listToolsQuerySchema,
    responses: { 200: json(toolListSchema, 'A page of tools.') },
    errors: [],
  }),
  acceptTool: defineRoute({
    operationId: 'acceptTool',
    method: 'post',
    path: '/api/tools/{toolName}/accept',
    tag: 'agents',
    summary: 'Accept a tool as it is now',
    description:
      'Lets agents call a tool again that its source has changed. `digest` names what you have looked at; where the source offers another one by now, this is 409 `stale_digest`.',
    role: 'admin',
    params: toolParams,
    notFound: 'tool_not_found',
    body: acceptToolBodySchema,
    responses: { 200: json(toolSchema, 'The tool.') },
    errors: ['stale_digest'],
  }),
};
