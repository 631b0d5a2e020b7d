import { defineRoute } from '../define-route.js';
import { dryRunQuerySchema } from '../schemas/query.js';
import { getWorkflowStatisticsQuerySchema, workflowStatisticsSchema } from '../schemas/workflow-statistics.js';
import {
  deployedWorkflowSchema,
  deploymentPlanSchema,
  getWorkflowQuerySchema,
  listWorkflowsQuerySchema,
  workflowDetailSchema,
  workflowListSchema,
} from '../schemas/workflow.js';
import { moveWorkflowBodySchema, workflowEngineSchema, workflowMovePlanSchema } from '../schemas/workflow-engine.js';
import { workflowParams, bpmnXmlSchema } from './params.js';
import { jsonResponse } from './json-response.js';

export const workflowRoutes = {
  listWorkflows: defineRoute({
    operationId: 'listWorkflows',
    method: 'get',
    path: '/api/workflows',
    tag: 'workflows',
    summary: 'List workflows',
    role: 'viewer',
    query: listWorkflowsQuerySchema,
    responses: { 200: jsonResponse(workflowListSchema, 'A page of workflows, each in its latest version.') },
    errors: [],
  }),
  getWorkflow: defineRoute({
    operationId: 'getWorkflow',
    method: 'get',
    path: '/api/workflows/{workflowId}',
    tag: 'workflows',
    summary: 'Get a workflow with its BPMN file',
    role: 'viewer',
    params: workflowParams,
    notFound: 'workflow_not_found',
    query: getWorkflowQuerySchema,
    responses: { 200: jsonResponse(workflowDetailSchema, 'The workflow.') },
    errors: ['workflow_version_not_found'],
  }),
  getWorkflowStatistics: defineRoute({
    operationId: 'getWorkflowStatistics',
    method: 'get',
    path: '/api/workflows/{workflowId}/statistics',
    tag: 'workflows',
    summary: 'Get the statistics of a workflow by element',
    description:
      'Returns the data for a heat map. Reads the newest matching runs up to a limit; `sample` reports whether all matching runs were read.',
    role: 'viewer',
    params: workflowParams,
    notFound: 'workflow_not_found',
    query: getWorkflowStatisticsQuerySchema,
    responses: { 200: jsonResponse(workflowStatisticsSchema, 'The statistics.') },
    errors: ['workflow_version_not_found'],
  }),
  getWorkflowEngine: defineRoute({
    operationId: 'getWorkflowEngine',
    method: 'get',
    path: '/api/workflows/{workflowId}/engine',
    tag: 'workflows',
    summary: 'Get the engine of the new runs of a workflow',
    role: 'operator',
    params: workflowParams,
    notFound: 'workflow_not_found',
    responses: { 200: jsonResponse(workflowEngineSchema, 'The engine, and the active runs by engine.') },
    errors: [],
  }),
  moveWorkflow: defineRoute({
    operationId: 'moveWorkflow',
    method: 'put',
    path: '/api/workflows/{workflowId}/engine',
    tag: 'workflows',
    summary: 'Move a workflow to another engine',
    description:
      'Runs whose start is requested after the response belong to the engine, whatever server starts them. Existing runs end on the engine that they belong to; keep a server with it until then. Child runs belong to the engine to which their own workflow was moved, otherwise to that of their parent run. With `dryRun` the response is the plan.',
    role: 'admin',
    params: workflowParams,
    notFound: 'workflow_not_found',
    query: dryRunQuerySchema,
    body: moveWorkflowBodySchema,
    responses: { 200: jsonResponse(workflowEngineSchema, 'The engine; with `dryRun` the plan.') },
    dryRun: workflowMovePlanSchema,
    errors: ['engine_not_available'],
  }),
  deployWorkflow: defineRoute({
    operationId: 'deployWorkflow',
    method: 'post',
    path: '/api/workflows',
    tag: 'workflows',
    summary: 'Deploy the workflows of a file',
    description:
      'Deploying the same bytes again returns the same version (200); other bytes create the next one (201). ' +
      'All executable processes of the file are deployed together. ' +
      'Runs stay on the version on which they started. A BPMN model that cannot be executed exactly as the standard specifies is refused as a whole; `errors` names each element. ' +
      'With `dryRun` the response is the plan of the deployment, or the errors for which it would be refused, also with 200. A file that is not BPMN is refused even with `dryRun`.',
    role: 'admin',
    roleSetting: 'Auth:DeployRole',
    query: dryRunQuerySchema,
    body: bpmnXmlSchema,
    bodyContentType: ['application/xml', 'text/xml'],
    responses: {
      200: jsonResponse(deployedWorkflowSchema, 'These bytes were deployed before; with `dryRun` the plan.'),
      201: jsonResponse(deployedWorkflowSchema, 'A new version.', ['Location']),
    },
    dryRun: deploymentPlanSchema,
    errors: ['model_refused'],
  }),
};
