import { defineRoute } from '../define-route.js';
import {
  bulkCancelBodySchema,
  bulkRecoverBodySchema,
  bulkRunPlanSchema,
  bulkRunResultSchema,
} from '../schemas/bulk-runs.js';
import { dryRunQuerySchema } from '../schemas/query.js';
import { json } from './respond.js';

const common = {
  method: 'post',
  tag: 'runs',
  role: 'operator',
  query: dryRunQuerySchema,
  dryRun: bulkRunPlanSchema,
  errors: [],
  idempotent: true,
} as const;

const HOW =
  'Each run is a command of its own, with its own place in the history and the audit trail, and its own result: none stands in the way of another, and a run that has changed ' +
  'in between answers what it would have answered alone. What was begun is finished also where the caller leaves; with the same `Idempotency-Key` the request may be ' +
  'repeated, and does nothing twice. With `dryRun` the answer is a plan, whose `runIds` are what to send: so exactly those are meant that were shown.';

export const bulkRunRoutes = {
  bulkCancelRuns: defineRoute({
    ...common,
    operationId: 'bulkCancelRuns',
    path: '/api/runs/bulk-cancel',
    summary: 'Cancel several runs',
    description: HOW,
    body: bulkCancelBodySchema,
    responses: { 200: json(bulkRunResultSchema, 'What became of each run; with `dryRun` the plan.') },
  }),
  bulkRecoverRuns: defineRoute({
    ...common,
    operationId: 'bulkRecoverRuns',
    path: '/api/runs/bulk-recover',
    summary: 'Recover several runs',
    description: `Retries all failed steps of each. ${HOW}`,
    body: bulkRecoverBodySchema,
    responses: { 200: json(bulkRunResultSchema, 'What became of each run; with `dryRun` the plan.') },
  }),
};
