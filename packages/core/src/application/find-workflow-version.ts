import { isRunEvent, type RunEvent } from '@countersign/model';

/** A version of the workflow of a run. */
export interface WorkflowVersionOfRun {
  readonly version: number;
  readonly digest: string;
}

/** Returns the version with which an event starts the run, or to which it migrates the run; otherwise `undefined`. */
export function findWorkflowVersion(event: Pick<RunEvent, 'type' | 'data'>): WorkflowVersionOfRun | undefined {
  if (isRunEvent(event, 'run.started'))
    return { version: event.data.workflowVersion, digest: event.data.workflowDigest };
  if (isRunEvent(event, 'run.migrated')) return { version: event.data.toVersion, digest: event.data.toDigest };
  return undefined;
}
