import { defineRoute } from '../define-route.js';
import {
  bulkCancelBodySchema,
  bulkRecoverBodySchema,
  bulkRunPlanSchema,
  bulkRunResultSchema,
} from '../schemas/bulk-runs.js';
import { dryRunQuerySchema } from '../schemas/query.js';
import { jsonResponse } from './json-response.js';

const bulkRunRoute = {
  method: 'post',
  tag: 'runs',
  role: 'operator',
  query: dryRunQuerySchema,
  dryRun: bulkRunPlanSchema,
  errors: [],
  idempotent: true,
} as const;

const BEHAVIOR_DESCRIPTION =
  'Each run gets a separate command, with its own history entries, audit events and result, so no run blocks another. A run that changed ' +
  'since the plan gets the result that a single request would get. The operation is completed even if the client disconnects. With the same `Idempotency-Key`, the request can be ' +
  'retried safely: no command is executed twice. With `dryRun` the response is a plan; send its `runIds` to act on exactly the runs that it shows.';

export const bulkRunRoutes = {
  bulkCancelRuns: defineRoute({
    ...bulkRunRoute,
    operationId: 'bulkCancelRuns',
    path: '/api/runs/bulk-cancel',
    summary: 'Cancel several runs',
    description: BEHAVIOR_DESCRIPTION,
    body: bulkCancelBodySchema,
    responses: { 200: jsonResponse(bulkRunResultSchema, 'The result for each run; with `dryRun` the plan.') },
  }),
  bulkRecoverRuns: defineRoute({
    ...bulkRunRoute,
    operationId: 'bulkRecoverRuns',
    path: '/api/runs/bulk-recover',
    summary: 'Recover several runs',
    description: `Retries all failed steps of each run. ${BEHAVIOR_DESCRIPTION}`,
    body: bulkRecoverBodySchema,
    responses: { 200: jsonResponse(bulkRunResultSchema, 'The result for each run; with `dryRun` the plan.') },
  }),
};
