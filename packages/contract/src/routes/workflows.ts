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
import { workflowParams, xmlSchema } from './params.js';
import { json } from './respond.js';

export const workflowRoutes = {
  listWorkflows: defineRoute({
    operationId: 'listWorkflows',
    method: 'get',
    path: '/api/workflows',
    tag: 'workflows',
    summary: 'List workflows',
    role: 'viewer',
    query: listWorkflowsQuerySchema,
    responses: { 200: json(workflowListSchema, 'A page of workflows, each in its newest version.') },
    errors: [],
  }),
  getWorkflow: defineRoute({
    operationId: 'getWorkflow',
    method: 'get',
    path: '/api/workflows/{workflowId}',
    tag: 'workflows',
    summary: 'Get a workflow with its BPMN',
    role: 'viewer',
    params: workflowParams,
    notFound: 'workflow_not_found',
    query: getWorkflowQuerySchema,
    responses: { 200: json(workflowDetailSchema, 'The workflow.') },
    errors: ['workflow_version_not_found'],
  }),
  getWorkflowStatistics: defineRoute({
    operationId: 'getWorkflowStatistics',
    method: 'get',
    path: '/api/workflows/{workflowId}/statistics',
    tag: 'workflows',
    summary: 'Count what the runs of a workflow did, element by element',
    description:
      'For a heat map. Looks at the newest runs that fit, so many that the cost of an answer is bounded; `sample` says whether those are all.',
    role: 'viewer',
    params: workflowParams,
    notFound: 'workflow_not_found',
    query: getWorkflowStatisticsQuerySchema,
    responses: { 200: json(workflowStatisticsSchema, 'The statistics.') },
    errors: ['workflow_version_not_found'],
  }),
  deployWorkflow: defineRoute({
    operationId: 'deployWorkflow',
    method: 'post',
    path: '/api/workflows',
    tag: 'workflows',
    summary: 'Deploy the workflows of a file',
    description:
      'The same bytes again are the same version (200); other bytes are the next one (201). ' +
      'All executable processes of the file are deployed together. ' +
      'Runs stay on the version on which they started. A model that cannot be executed faithfully is refused as a whole; `errors` names each element. ' +
      'With `dryRun` the answer is what a deployment would do, or what it would be refused for: also that is 200. What is no BPMN at all is refused all the same.',
    role: 'admin',
    roleSetting: 'Auth:DeployRole',
    query: dryRunQuerySchema,
    body: xmlSchema,
    bodyContentType: ['application/xml', 'text/xml'],
    responses: {
      200: json(deployedWorkflowSchema, 'These bytes were deployed before; with `dryRun` the plan.'),
      201: json(deployedWorkflowSchema, 'A new version.', ['Location']),
    },
    dryRun: deploymentPlanSchema,
    errors: ['model_refused'],
  }),
};
