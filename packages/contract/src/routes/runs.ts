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
import { json } from './respond.js';

export const runRoutes = {
  startRun: defineRoute({
    operationId: 'startRun',
    method: 'post',
    path: '/api/runs',
    tag: 'runs',
    summary: 'Start a run',
    description:
      'Starts a run of the newest version of a workflow, or of the one that `version` names. The answer is given once the run is durable.',
    role: 'viewer',
    roleSetting: 'Auth:StartRunRole',
    body: startRunBodySchema,
    requestExamples: {
      newest: {
        summary: 'The newest version',
        value: {
          workflowId: 'release-approval',
          inputs: { repository: '/srv/my-service', from: 'v1.4.0', to: 'HEAD' },
        },
      },
      pinned: {
        summary: 'A given version, with a key of your own',
        value: { workflowId: 'release-approval', version: 2, businessKey: 'release-2026.11' },
      },
    },
    responses: { 201: json(runSchema, 'The run was started.', ['Location']) },
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
      'Looks at the conditional start events of the newest version of each workflow, or of one, and starts a run at each whose condition holds of the variables. ' +
      'A condition is looked at where one of the variables that it reads is given; one that cannot be evaluated does not hold. ' +
      'A request that is repeated with its `Idempotency-Key` starts the same runs, once, and no others.',
    role: 'viewer',
    roleSetting: 'Auth:StartRunRole',
    body: evaluateConditionsBodySchema,
    responses: { 200: json(evaluatedConditionsSchema, 'The runs that were started; none where no condition holds.') },
    errors: ['workflow_not_found', 'inputs_invalid', 'result_variable_reserved', 'too_many_conditions'],
    idempotent: true,
  }),
  listRuns: defineRoute({
    operationId: 'listRuns',
    method: 'get',
    path: '/api/runs',
    tag: 'runs',
    summary: 'List runs',
    description:
      'Newest first, child runs included (`parentRunId`): by `runId`, a UUIDv7 whose time is the millisecond in which the run was asked for. ' +
      'Runs of the same millisecond keep one order, which says nothing about them.',
    role: 'viewer',
    query: listRunsQuerySchema,
    responses: { 200: json(runListSchema, 'A page of runs.') },
    errors: [],
  }),
  countRuns: defineRoute({
    operationId: 'countRuns',
    method: 'get',
    path: '/api/runs/count',
    tag: 'runs',
    summary: 'Count runs',
    description: 'Takes the filters of the list. Counts as far as is cheap: beyond that, `exact` is false.',
    role: 'viewer',
    query: countRunsQuerySchema,
    responses: { 200: json(runCountSchema, 'How many there are.') },
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
    responses: { 200: json(runDetailSchema, 'The run.') },
    errors: [],
  }),
  getRunState: defineRoute({
    operationId: 'getRunState',
    method: 'get',
    path: '/api/runs/{runId}/state',
    tag: 'runs',
    summary: 'Get a run as it was just after one of its events',
    description:
      'Made by replaying the history: the commands that it tells of are decided again by the version that the run was on, and must give the events that were recorded. ' +
      'Where that cannot be (what it takes was erased), `gap` says so, and what is not known is `null`.',
    role: 'viewer',
    params: runParams,
    notFound: 'run_not_found',
    query: getRunStateQuerySchema,
    responses: { 200: json(runStateSchema, 'The state of the run then.') },
    errors: [],
  }),
  cancelRun: defineRoute({
    operationId: 'cancelRun',
    method: 'post',
    path: '/api/runs/{runId}/cancel',
    tag: 'runs',
    summary: 'Cancel a run',
    description:
      'Withdraws what the run waits for and compensates where the model says so. No result that arrives later has any effect.',
    role: 'operator',
    params: runParams,
    notFound: 'run_not_found',
    query: dryRunQuerySchema,
    body: cancelRunBodySchema,
    responses: { 200: json(runSchema, 'The run; with `dryRun` the plan.') },
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
      'Retries the failed steps from where they failed, once what made them fail has been mended. All history is kept.',
    role: 'operator',
    params: runParams,
    notFound: 'run_not_found',
    query: dryRunQuerySchema,
    body: recoverRunBodySchema,
    bodyOptional: true,
    responses: { 200: json(runSchema, 'The run; with `dryRun` the plan.') },
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
    summary: 'Move a run to another version of its workflow',
    description:
      'Moves what is active, what is waited for and what could be undone to the elements of the target, all of it or nothing. ' +
      'Events that are waited for keep their due date; pending approvals are asked again. Work that is being done stays where it is the same work, and is refused otherwise.',
    role: 'operator',
    params: runParams,
    notFound: 'run_not_found',
    query: dryRunQuerySchema,
    body: migrateRunBodySchema,
    responses: { 200: json(runSchema, 'The run; with `dryRun` the plan.') },
    dryRun: migrationPlanSchema,
    errors: ['workflow_version_not_found', 'migration_refused', 'run_already_ended', 'run_cancelling', 'conflict'],
  }),
};
