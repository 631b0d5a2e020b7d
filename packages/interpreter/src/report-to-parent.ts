import type { ChildReport } from '@countersign/model';
import { collectContributorsWithoutInitiator, withContributors } from './contributors.js';
import type { Execution } from './execution.js';

/**
 * Sends a report to the parent run, if any.
 *
 * @returns whether there is a parent run
 */
export function reportToParent(execution: Execution, report: ChildReport): boolean {
  const { parent, runId } = execution.state;
  if (parent === null) return false;
  const message = {
    messageId: execution.nextId(),
    kind: 'parent.report',
    parentRunId: parent.runId,
    childRunId: runId,
    report: { ...report, ...withContributors(collectContributorsWithoutInitiator(execution)) },
  } as const;
  execution.request({ type: 'send', message });
  return true;
}
