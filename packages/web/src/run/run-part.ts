import type { RunDetail, WorkflowDetail } from '@countersign/contract';

/** What each part of the page is given: the run, and the very version of the workflow that it is on. */
export interface RunPartProps {
  readonly run: RunDetail;
  readonly workflow: WorkflowDetail;
}
