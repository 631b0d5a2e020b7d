import type { RunDetail } from '@countersign/contract';

/** Execution of a script task. */
export interface Execution {
  readonly marker: string;
  readonly runId: string;
  readonly startedAt: string;
  readonly enteredSeq: number;
}

/** State of a run, and the script tasks that were executed in all runs. */
export interface Observation {
  readonly status: 'completed' | 'failed' | 'waits' | 'cancelled' | 'rejected';
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Errors of other runs than the observed one, which were started by a call activity or an event. */
  readonly errorsInOtherRuns: readonly string[];
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
    errorsInOtherRuns: runs
      .filter((each) => each.runId !== runId && hasFailed(each))
      .map((each) => `${each.workflowId}: ${each.error?.code ?? 'failed'}`),
    executions: runs.flatMap((each) => toExecutions(each, markers)),
  };
}

/**
 * Returns whether a run has failed. A run with an incident counts as failed, even if other steps still wait. A child
 * run that ended with an error does not count, because the error is handled in its parent run.
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
    // The type distinguishes the iterations of a loop from the step that contains them.
    if (marker === undefined || status !== 'completed' || completedAt === null || !SCRIPT_TYPES.has(type)) return [];
    return [{ marker, runId, startedAt: completedAt, enteredSeq }];
  });
}
