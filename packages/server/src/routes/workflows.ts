import type { Handlers } from '../app/route-context.js';
import { instantOf } from './instant-of.js';
import { defined } from './runs.js';

export const workflowHandlers: Pick<
  Handlers,
  'listWorkflows' | 'getWorkflow' | 'getWorkflowStatistics' | 'deployWorkflow'
> = {
  listWorkflows: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return { body: await services.app.workflows.list({ limit, ...defined({ cursor }) }) };
  },

  getWorkflow: async ({ services, request }) => ({
    body: await services.app.workflows.get(request.params.workflowId, request.query.version),
  }),

  getWorkflowStatistics: async ({ services, request }) => {
    const { version, startedAfter, startedBefore } = request.query;
    const times = defined({
      startedAfter: startedAfter === undefined ? undefined : instantOf(startedAfter),
      startedBefore: startedBefore === undefined ? undefined : instantOf(startedBefore),
    });
    return {
      body: await services.app.workflowStatistics.of({
        workflowId: request.params.workflowId,
        ...defined({ version }),
        ...times,
      }),
    };
  },

  deployWorkflow: async ({ services, request, caller, basePath }) => {
    if (request.query.dryRun) return { body: await services.app.workflows.plan(request.body) };
    const { workflow, created } = await services.app.workflows.deploy(request.body, caller);
    services.metrics.command('deployWorkflow');
    if (!created) return { body: workflow };
    const location = `${basePath}/api/workflows/${encodeURIComponent(workflow.workflowId)}?version=${workflow.version}`;
    return { status: 201, body: workflow, headers: { Location: location } };
  },
};
