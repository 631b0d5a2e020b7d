import { defineRoute } from '../define-route.js';
import { evidencePackSchema } from '../schemas/evidence-pack.js';
import { runParams } from './params.js';
import { json } from './respond.js';

const common = {
  method: 'get',
  tag: 'evidence',
  role: 'viewer',
  params: runParams,
  notFound: 'run_not_found',
  errors: [],
} as const;

export const evidenceRoutes = {
  getEvidencePack: defineRoute({
    ...common,
    operationId: 'getEvidencePack',
    path: '/api/runs/{runId}/evidence-pack',
    summary: 'Generate the evidence pack of a run',
    description:
      'All that is needed to check the run without this server. At any time; before the end of the run it holds what has happened so far.',
    responses: { 200: json(evidencePackSchema, 'The pack.') },
  }),
  downloadEvidencePack: defineRoute({
    ...common,
    operationId: 'downloadEvidencePack',
    path: '/api/runs/{runId}/evidence-pack/download',
    summary: 'Download the evidence pack of a run',
    description: 'The same pack as a file.',
    responses: { 200: json(evidencePackSchema, 'The pack.', ['Content-Disposition']) },
  }),
};
