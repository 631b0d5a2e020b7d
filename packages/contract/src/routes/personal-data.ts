import { defineRoute } from '../define-route.js';
import {
  erasePersonalDataBodySchema,
  erasePersonBodySchema,
  personalDataErasureSchema,
  personErasureSchema,
} from '../schemas/personal-data.js';
import { dryRunQuerySchema } from '../schemas/query.js';
import { runParams } from './params.js';
import { jsonResponse } from './json-response.js';

export const personalDataRoutes = {
  erasePersonalData: defineRoute({
    operationId: 'erasePersonalData',
    method: 'post',
    path: '/api/runs/{runId}/personal-data-erasures',
    tag: 'runs',
    summary: 'Erase personal data of a run',
    description:
      'Erases the names, comments, inputs, variables, outputs and messages of a run that has ended, in its history and in all other records; or, with `person`, only data that names this person. ' +
      'The private part of an event that names the person is erased as a whole, because one commitment covers it. ' +
      'Hashes and digests remain, and an event `personal_data.erased` records what was erased, by whom and why, so evidence packs can still be verified. The erasure cannot be undone. ' +
      'Repeating the request erases data that was added since the previous request.',
    role: 'admin',
    params: runParams,
    notFound: 'run_not_found',
    query: dryRunQuerySchema,
    body: erasePersonalDataBodySchema,
    responses: {
      200: jsonResponse(personalDataErasureSchema, 'The erased data; with `dryRun` the data that would be erased.'),
    },
    errors: ['run_not_ended', 'validation_failed', 'conflict', 'not_supported_by_engine'],
  }),
  erasePerson: defineRoute({
    operationId: 'erasePerson',
    method: 'post',
    path: '/api/personal-data-erasures',
    tag: 'runs',
    summary: 'Erase the personal data of a person',
    description:
      'Erases data that names the person, as `POST /api/runs/{runId}/personal-data-erasures` does: first in the ended runs, up to 50 per request; finally in the audit chain of the server, the list of users, absences and deployments. ' +
      'Continue with `nextCursor` until it is `null`. Signing keys keep the name of their owner, because votes of runs in progress are verified with them.',
    role: 'admin',
    query: dryRunQuerySchema,
    body: erasePersonBodySchema,
    responses: {
      200: jsonResponse(personErasureSchema, 'The erased data; with `dryRun` the data that would be erased.'),
    },
    errors: ['validation_failed', 'invalid_cursor', 'conflict', 'not_supported_by_engine'],
  }),
};
