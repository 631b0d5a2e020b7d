import type { EngineCount, WorkflowEngine } from '@countersign/contract';

/** The move of a workflow, planned or made. */
export interface Move {
  readonly workflowId: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly activeRuns: readonly EngineCount[];
}

const NOT_MOVED = 'the default engine';

/** Describes the move of a workflow: what happens to its new runs, and what happens to its active runs. */
export function describeMove({ workflowId, from, to, activeRuns }: Move, isPlan: boolean): string {
  const engine = to ?? NOT_MOVED;
  const start = isPlan ? 'would start' : 'start';
  const summary =
    from === to
      ? `${workflowId}: new runs already start on ${engine}.`
      : `${workflowId}: new runs ${start} on ${engine} (before: ${from ?? NOT_MOVED}).`;
  return [summary, ...activeRuns.filter((each) => each.engine !== to).map(describeRemainingRuns)].join('\n');
}

function describeRemainingRuns({ engine, count }: EngineCount): string {
  const runs = count === 1 ? '1 active run ends' : `${count} active runs end`;
  return `  ${runs} on ${engine}. Keep a server with this engine until then.`;
}

/** Describes the engines of all workflows: the running servers first, then one line for each workflow. */
export function describeEngines(workflows: readonly WorkflowEngine[]): string {
  const servers = workflows[0]?.servers ?? [];
  return [
    `Running servers: ${servers.map(({ engine, count }) => `${engine} ${count}`).join(', ') || 'none'}`,
    ...workflows.map(({ workflowId, engine, activeRuns }) => {
      const counts = activeRuns.map((each) => `${each.engine} ${each.count}`).join(', ') || 'none';
      return `${workflowId}: new runs start on ${engine ?? NOT_MOVED}; active runs: ${counts}`;
    }),
  ].join('\n');
}
