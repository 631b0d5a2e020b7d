import type { ChildReport } from '@countersign/model';
import { contributorsWithoutStarter, withContributors } from './contributors.js';
import type { Execution } from './execution.js';

/** Tells the run whose call activity started this one, where there is one. @returns whether there is */
export function reportToParent(execution: Execution, report: ChildReport): boolean {
  const { parent, runId } = execution.state;
  if (parent === null) return false;
  const message = {
    messageId: execution.nextId(),
    kind: 'parent.report',
    parentRunId: parent.runId,
    childRunId: runId,
    report: { ...report, ...withContributors(contributorsWithoutStarter(execution)) },
  } as const;
  execution.request({ type: 'send', message });
  return true;
}
