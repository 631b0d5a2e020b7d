import type { Handlers } from '../app/route-context.js';

export const evidenceHandlers: Pick<Handlers, 'getEvidencePack' | 'downloadEvidencePack'> = {
  getEvidencePack: async ({ services, request, caller }) => {
    const { runId } = request.params;
    const body = await services.app.evidence.build(runId, caller);
    await services.exportAudit.recordOnce(caller, 'evidence.export', { type: 'evidence_pack', id: runId });
    return { body };
  },

  downloadEvidencePack: async ({ ctx, services, request, caller }) => {
    const { runId } = request.params;
    const body = await services.app.evidence.build(runId, caller);
    await services.exportAudit.recordOnce(caller, 'evidence.export', { type: 'evidence_pack', id: runId });
    ctx.attachment(`evidence-${runId}.json`);
    return { body };
  },
};
