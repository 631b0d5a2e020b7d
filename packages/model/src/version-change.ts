import type { RunEventDraft } from './advance-result.js';
import { isRunEvent } from './typed-run-event.js';

/** A version of the workflow of a run. */
export interface RunVersion {
  readonly version: number;
  readonly digest: string;
}

/** Returns the version with which an event starts the run, or to which it migrates the run; otherwise `undefined`. */
export function findVersionChange(event: Pick<RunEventDraft, 'type' | 'data'>): RunVersion | undefined {
  if (isRunEvent(event, 'run.started'))
    return { version: event.data.workflowVersion, digest: event.data.workflowDigest };
  if (isRunEvent(event, 'run.migrated')) return { version: event.data.toVersion, digest: event.data.toDigest };
  return undefined;
}
