import type { RunDetail, WorkflowDetail } from '@countersign/contract';

/** Props of each part of the run page: the run and the workflow version that it executes. */
export interface RunPartProps {
  readonly run: RunDetail;
  readonly workflow: WorkflowDetail;
}
