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
      'Returns everything that is needed to verify the run without this server. Before the run ends, the pack contains the history so far.',
    responses: { 200: jsonResponse(evidencePackSchema, 'The evidence pack.') },
  }),
  downloadEvidencePack: defineRoute({
    ...evidenceRoute,
    operationId: 'downloadEvidencePack',
    path: '/api/runs/{runId}/evidence-pack/download',
    summary: 'Download the evidence pack of a run',
    description: 'Returns the evidence pack as a file to download.',
    responses: { 200: jsonResponse(evidencePackSchema, 'The evidence pack.', ['Content-Disposition']) },
  }),
};
