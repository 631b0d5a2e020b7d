import { defineRoute } from '../define-route.js';
import {
  erasePersonalDataBodySchema,
  erasePersonBodySchema,
  personalDataErasureSchema,
  personErasureSchema,
} from '../schemas/personal-data.js';
import { dryRunQuerySchema } from '../schemas/query.js';
import { runParams } from './params.js';
import { json } from './respond.js';

export const personalDataRoutes = {
  erasePersonalData: defineRoute({
    operationId: 'erasePersonalData',
    method: 'post',
    path: '/api/runs/{runId}/personal-data-erasures',
    tag: 'runs',
    summary: 'Erase personal data of a run',
    description:
      'Of a run that has ended: names, comments, inputs, variables, outputs and messages, in its history and everywhere beside it; or, with `person`, what names one person. ' +
      'A private part that names the person is erased as a whole, since one commitment covers it. ' +
      'Hashes and digests stay, and an event `personal_data.erased` says what is gone, who ordered it and why, so evidence packs still verify. It cannot be undone. ' +
      'The same request again erases what has come since.',
    role: 'admin',
    params: runParams,
    notFound: 'run_not_found',
    query: dryRunQuerySchema,
    body: erasePersonalDataBodySchema,
    responses: { 200: json(personalDataErasureSchema, 'What was erased; with `dryRun` what would be.') },
    errors: ['run_not_ended', 'validation_failed', 'conflict'],
  }),
  erasePerson: defineRoute({
    operationId: 'erasePerson',
    method: 'post',
    path: '/api/personal-data-erasures',
    tag: 'runs',
    summary: 'Erase a person',
    description:
      'From all runs that have ended and name them, up to 50 with each request, as `POST /api/runs/{runId}/personal-data-erasures` does; then from the audit chain of the server, absences and deployments. ' +
      'Go on with `nextCursor` until it is `null`. Signing keys stay under the name of their owner, since votes in runs that go on are checked by them.',
    role: 'admin',
    query: dryRunQuerySchema,
    body: erasePersonBodySchema,
    responses: { 200: json(personErasureSchema, 'What was erased; with `dryRun` what would be.') },
    errors: ['validation_failed', 'invalid_cursor', 'conflict'],
  }),
};
