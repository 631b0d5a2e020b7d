import type { RunSnapshot } from '@countersign/core/ports';
import type { RunState } from '@countersign/model';

/** Returns what readers need of the interpreter's state of a run. */
export function toRunSnapshot(state: RunState): RunSnapshot {
  const { runId, parent, seq, erasedAt, instances, root, artifacts, personSalts = {} } = state;
  return {
    runId,
    parent,
    seq,
    ...(erasedAt === undefined ? {} : { erasedAt }),
    variables: instances[root]?.variables ?? {},
    hasArtifacts: Object.keys(artifacts).length > 0,
    openSteps: Object.values(instances).map(({ stepId, variables = {}, agent }) => ({
      stepId,
      variables,
      agentBudget: agent?.budget ?? null,
    })),
    personSalts,
  };
}
