import { defineRoute } from '../define-route.js';
import { migrateRunBodySchema, migrationPlanSchema } from '../schemas/migration.js';
import { dryRunQuerySchema } from '../schemas/query.js';
import {
  cancelRunBodySchema,
  countRunsQuerySchema,
  evaluateConditionsBodySchema,
  evaluatedConditionsSchema,
  listRunsQuerySchema,
  recoverRunBodySchema,
  runCountSchema,
  runPlanSchema,
  startRunBodySchema,
} from '../schemas/run-commands.js';
import { getRunStateQuerySchema, runStateSchema } from '../schemas/run-state.js';
import { runDetailSchema, runListSchema, runSchema } from '../schemas/run.js';
import { runParams } from './params.js';
import { jsonResponse } from './json-response.js';

export const runRoutes = {
  startRun: defineRoute({
    operationId: 'startRun',
    method: 'post',
    path: '/api/runs',
    tag: 'runs',
    summary: 'Start a run',
    description:
      'Starts a run of the latest version of a workflow, or of `version`. The response is sent once the run is durable.',
    role: 'viewer',
    roleSetting: 'Auth:StartRunRole',
    body: startRunBodySchema,
    requestExamples: {
      newest: {
        summary: 'Latest version',
        value: {
          workflowId: 'release-approval',
          inputs: { repository: '/srv/my-service', from: 'v1.4.0', to: 'HEAD' },
        },
      },
      pinned: {
        summary: 'Specific version, with your own business key',
        value: { workflowId: 'release-approval', version: 2, businessKey: 'release-2026.11' },
      },
    },
    responses: { 201: jsonResponse(runSchema, 'The run was started.', ['Location']) },
    errors: [
      'workflow_not_found',
      'workflow_version_not_found',
      'no_start_event',
      'inputs_invalid',
      'result_variable_reserved',
    ],
    idempotent: true,
  }),
  evaluateConditions: defineRoute({
    operationId: 'evaluateConditions',
    method: 'post',
    path: '/api/conditions/evaluate',
    tag: 'runs',
    summary: 'Start runs by conditions',
    description:
      'Evaluates the conditional start events of the latest version of each workflow, or only of `workflowId`, and starts a run at each event whose condition is true for the variables. ' +
      'Only conditions that read one of the given variables are evaluated; a condition that cannot be evaluated counts as false. ' +
      'A request that is repeated with its `Idempotency-Key` starts no further runs.',
    role: 'viewer',
    roleSetting: 'Auth:StartRunRole',
    body: evaluateConditionsBodySchema,
    responses: { 200: jsonResponse(evaluatedConditionsSchema, 'The started runs; empty if no condition is true.') },
    errors: [
      'workflow_not_found',
      'inputs_invalid',
      'result_variable_reserved',
      'too_many_conditions',
      'not_supported_by_engine',
    ],
    idempotent: true,
  }),
  listRuns: defineRoute({
    operationId: 'listRuns',
    method: 'get',
    path: '/api/runs',
    tag: 'runs',
    summary: 'List runs',
    description:
      'Lists runs newest first, including child runs (`parentRunId`): sorted by `runId`, a UUIDv7 with the millisecond of the start request. ' +
      'The order of runs from the same millisecond is stable, but has no meaning.',
    role: 'viewer',
    query: listRunsQuerySchema,
    responses: { 200: jsonResponse(runListSchema, 'A page of runs.') },
    errors: [],
  }),
  countRuns: defineRoute({
    operationId: 'countRuns',
    method: 'get',
    path: '/api/runs/count',
    tag: 'runs',
    summary: 'Count runs',
    description: 'Takes the same filters as the list. The count is limited; beyond the limit, `exact` is false.',
    role: 'viewer',
    query: countRunsQuerySchema,
    responses: { 200: jsonResponse(runCountSchema, 'The number of runs.') },
    errors: [],
  }),
  getRun: defineRoute({
    operationId: 'getRun',
    method: 'get',
    path: '/api/runs/{runId}',
    tag: 'runs',
    summary: 'Get a run with its steps',
    role: 'viewer',
    params: runParams,
    notFound: 'run_not_found',
    responses: { 200: jsonResponse(runDetailSchema, 'The run.') },
    errors: [],
  }),
  getRunState: defineRoute({
    operationId: 'getRunState',
    method: 'get',
    path: '/api/runs/{runId}/state',
    tag: 'runs',
    summary: 'Get the state of a run after one of its events',
    description:
      'Computed by replaying the history: its commands are executed again on the workflow version of that time, and must produce the recorded events. ' +
      'If that is impossible, for example because data was erased, `gap` gives the reason, and unknown fields are `null`.',
    role: 'viewer',
    params: runParams,
    notFound: 'run_not_found',
    query: getRunStateQuerySchema,
    responses: { 200: jsonResponse(runStateSchema, 'The state of the run at that event.') },
    errors: ['not_supported_by_engine'],
  }),
  cancelRun: defineRoute({
    operationId: 'cancelRun',
    method: 'post',
    path: '/api/runs/{runId}/cancel',
    tag: 'runs',
    summary: 'Cancel a run',
    description:
      'Withdraws everything that the run waits for, and compensates completed steps if the BPMN model defines compensation. Results that arrive later have no effect.',
    role: 'operator',
    params: runParams,
    notFound: 'run_not_found',
    query: dryRunQuerySchema,
    body: cancelRunBodySchema,
    responses: { 200: jsonResponse(runSchema, 'The run; with `dryRun` the plan.') },
    dryRun: runPlanSchema,
    errors: ['run_already_ended', 'run_cancelling', 'conflict'],
  }),
  recoverRun: defineRoute({
    operationId: 'recoverRun',
    method: 'post',
    path: '/api/runs/{runId}/recover',
    tag: 'runs',
    summary: 'Recover a run',
    description:
      'Retries the failed steps after the cause of their failure has been fixed. The existing history is unchanged.',
    role: 'operator',
    params: runParams,
    notFound: 'run_not_found',
    query: dryRunQuerySchema,
    body: recoverRunBodySchema,
    bodyOptional: true,
    responses: { 200: jsonResponse(runSchema, 'The run; with `dryRun` the plan.') },
    dryRun: runPlanSchema,
    errors: [
      'run_already_ended',
      'run_not_recoverable',
      'run_cancelling',
      'result_variable_reserved',
      'self_approval',
      'conflict',
    ],
  }),
  migrateRun: defineRoute({
    operationId: 'migrateRun',
    method: 'post',
    path: '/api/runs/{runId}/migrate',
    tag: 'runs',
    summary: 'Migrate a run to another version of its workflow',
    description:
      'Moves active steps, waits and compensable steps to elements of the target version, either all or none. ' +
      'Timers keep their due date; pending approvals are requested again. Jobs in progress are kept if they are the same in the target; otherwise the migration is refused.',
    role: 'operator',
    params: runParams,
    notFound: 'run_not_found',
    query: dryRunQuerySchema,
    body: migrateRunBodySchema,
    responses: { 200: jsonResponse(runSchema, 'The run; with `dryRun` the plan.') },
    dryRun: migrationPlanSchema,
    errors: [
      'workflow_version_not_found',
      'migration_refused',
      'run_already_ended',
      'run_cancelling',
      'conflict',
      'not_supported_by_engine',
    ],
  }),
};
