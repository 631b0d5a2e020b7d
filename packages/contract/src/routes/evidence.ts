import { defineRoute } from '../define-route.js';
import { evidencePackSchema } from '../schemas/evidence-pack.js';
import { runParams } from './params.js';
import { jsonResponse } from './json-response.js';

const evidenceRoute = {
  method: 'get',
  tag: 'evidence',
  role: 'viewer',
  params: runParams,
  notFound: 'run_not_found',
  errors: [],
} as const;

export const evidenceRoutes = {
  getEvidencePack: defineRoute({
    ...evidenceRoute,
    operationId: 'getEvidencePack',
    path: '/api/runs/{runId}/evidence-pack',
    summary: 'Generate the evidence pack of a run',
    description:
      'Everything that is needed to verify the run without this server. Available at any time; before the run ends, it contains the history so far.',
    responses: { 200: jsonResponse(evidencePackSchema, 'The pack.') },
  }),
  downloadEvidencePack: defineRoute({
    ...evidenceRoute,
    operationId: 'downloadEvidencePack',
    path: '/api/runs/{runId}/evidence-pack/download',
    summary: 'Download the evidence pack of a run',
    description: 'The same pack as a file.',
    responses: { 200: jsonResponse(evidencePackSchema, 'The pack.', ['Content-Disposition']) },
  }),
};
