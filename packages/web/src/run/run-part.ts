import type { RunDetail, WorkflowDetail } from '@countersign/contract';

/** Props of each part of the page: the run and its exact workflow version. */
export interface RunPartProps {
  readonly run: RunDetail;
  readonly workflow: WorkflowDetail;
}
