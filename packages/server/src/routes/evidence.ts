import type { Handlers } from '../app/exchange.js';

export const evidenceHandlers: Pick<Handlers, 'getEvidencePack' | 'downloadEvidencePack'> = {
  getEvidencePack: async ({ services, request, caller }) => ({
    body: await services.app.evidence.build(request.params.runId, caller),
  }),

  downloadEvidencePack: async ({ ctx, services, request, caller }) => {
    const { runId } = request.params;
    const body = await services.app.evidence.build(runId, caller);
    ctx.attachment(`evidence-${runId}.json`);
    return { body };
  },
};
