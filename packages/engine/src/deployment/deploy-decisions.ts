import { compileDecisionsOffThread } from '@countersign/bpmn';
import { computeDecisionsDigest } from '@countersign/bpmn/dmn';
import type { DeployedDecisions, RequestContext, StoragePort } from '@countersign/core/ports';
import type { CommandAction } from '../commands/command-actions.js';

/**
 * Deploys all DMN decisions of a file, or none.
 *
 * @throws {ModelRefusedError} if one of them cannot be evaluated faithfully
 */
export async function deployDecisions(
  storage: Pick<StoragePort, 'saveDecisions'>,
  { dmnXml, context }: { dmnXml: string; context: RequestContext },
  now: number,
): Promise<DeployedDecisions> {
  const { decisionRequirementsId, name, decisions } = await compileDecisionsOffThread(dmnXml);
  const digest = computeDecisionsDigest(dmnXml);
  const saved = await storage.saveDecisions({
    digest,
    dmnXml,
    decisions: [...decisions.values()].map(({ evaluate: _evaluate, ...decision }) => ({
      version: { ...decision, digest, decisionRequirementsId, deployedAt: now, deployedBy: context.actor.id },
      audit: {
        at: now,
        actor: context.actor,
        action: 'decision.deploy' satisfies CommandAction,
        target: { type: 'decision', id: decision.decisionId, digest },
        result: 'ok',
        from: context.from,
        data: { traceId: context.traceId },
      },
    })),
  });
  return { decisionRequirementsId, name, digest, ...saved };
}
