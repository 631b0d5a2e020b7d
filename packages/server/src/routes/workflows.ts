import type { Handlers } from '../app/route-context.js';
import { parseInstant } from './parse-instant.js';
import { omitUndefined } from './runs.js';

export const workflowHandlers: Pick<
  Handlers,
  'listWorkflows' | 'getWorkflow' | 'getWorkflowStatistics' | 'getWorkflowEngine' | 'moveWorkflow' | 'deployWorkflow'
> = {
  listWorkflows: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return { body: await services.app.workflows.list({ limit, ...omitUndefined({ cursor }) }) };
  },

  getWorkflow: async ({ services, request }) => ({
    body: await services.app.workflows.get(request.params.workflowId, request.query.version),
  }),

  getWorkflowStatistics: async ({ services, request }) => {
    const { version, startedAfter, startedBefore } = request.query;
    const times = omitUndefined({
      startedAfter: startedAfter === undefined ? undefined : parseInstant(startedAfter),
      startedBefore: startedBefore === undefined ? undefined : parseInstant(startedBefore),
    });
    return {
      body: await services.app.workflowStatistics.get({
        workflowId: request.params.workflowId,
        ...omitUndefined({ version }),
        ...times,
      }),
    };
  },

  getWorkflowEngine: async ({ services, request }) => ({
    body: await services.app.moveWorkflow.get(request.params.workflowId),
  }),

  moveWorkflow: async ({ services, request, caller }) => {
    const input = { workflowId: request.params.workflowId, engine: request.body.engine };
    if (request.query.dryRun) return { body: await services.app.moveWorkflow.plan(input) };
    const workflowEngine = await services.app.moveWorkflow.execute(input, caller);
    services.metrics.recordCommand('moveWorkflow');
    return { body: workflowEngine };
  },

  deployWorkflow: async ({ services, request, caller, basePath }) => {
    if (request.query.dryRun) return { body: await services.app.workflows.plan(request.body) };
    const { workflow, created } = await services.app.workflows.deploy(request.body, caller);
    services.metrics.recordCommand('deployWorkflow');
    if (!created) return { body: workflow };
    const location = `${basePath}/api/workflows/${encodeURIComponent(workflow.workflowId)}?version=${workflow.version}`;
    return { status: 201, body: workflow, headers: { Location: location } };
  },
};
