import type { RunDetail } from '@countersign/contract';

/** Executed script task. */
export interface Execution {
  readonly marker: string;
  readonly runId: string;
  readonly startedAt: string;
  readonly enteredSeq: number;
}

/** State of a run, and what was executed. */
export interface Observation {
  readonly status: 'completed' | 'failed' | 'waits' | 'cancelled' | 'rejected';
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Incidents of runs other than the started one (called or started by an event). */
  readonly incidentsBeside: readonly string[];
  readonly executions: readonly Execution[];
}

const SCRIPT_TYPES: ReadonlySet<string> = new Set(['scriptTask', 'globalScriptTask']);

/** Returns the observable state of an idle run. */
export function observe(runId: string, runs: readonly RunDetail[], markers: ReadonlyMap<string, string>): Observation {
  const run = runs.find((each) => each.runId === runId);
  if (run === undefined) throw new Error(`Run ${runId} is not listed.`);
  return {
    status: toStatus(run),
    error: run.error,
    incidentsBeside: runs
      .filter((each) => each.runId !== runId && hasFailed(each))
      .map((each) => `${each.workflowId}: ${each.error?.code ?? 'failed'}`),
    executions: runs.flatMap((each) => toExecutions(each, markers)),
  };
}

/**
 * Returns whether a run has failed: it has a step in error, even if other steps still wait. A child run that ended with
 * an error has reported it to its parent run, whose reaction counts.
 */
export function hasFailed({
  outcome,
  incidents,
  parentRunId,
}: Pick<RunDetail, 'outcome' | 'incidents' | 'parentRunId'>): boolean {
  return outcome === null ? incidents > 0 : outcome === 'failed' && parentRunId === null;
}

function toStatus(run: RunDetail): Observation['status'] {
  if (hasFailed(run)) return 'failed';
  return run.outcome ?? 'waits';
}

function toExecutions({ runId, steps }: RunDetail, markers: ReadonlyMap<string, string>): Execution[] {
  return steps.flatMap(({ elementId, type, status, completedAt, enteredSeq }) => {
    const marker = markers.get(elementId);
    // The type tells the turns of a loop from the step that holds them together.
    if (marker === undefined || status !== 'completed' || completedAt === null || !SCRIPT_TYPES.has(type)) return [];
    return [{ marker, runId, startedAt: completedAt, enteredSeq }];
  });
}
