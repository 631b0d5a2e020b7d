import {
  type ChildReport,
  type ChildWait,
  DECISION_ERRORS,
  type ElementInstance,
  type JsonObject,
  type ReportChildCommand,
  type Taints,
  filterTaints,
  type RunEventMap,
} from '@countersign/model';
import { cancelAll } from '../cancel-instance.js';
import { endWithError } from '../end-with-error.js';
import { escalate } from '../elements/throw.js';
import { throwDecision, throwError } from '../events/throw-errors-and-escalations.js';
import { addContributors, toRecordedContributors } from '../contributors.js';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { withoutReservedVariables } from '../reserved-variables.js';
import { reportToParent } from '../report-to-parent.js';
import { closeWaits, isOwnWait, scheduleLeave } from '../steps.js';
import { setLocalVariables } from '../variables.js';

/** Handles the end of a child run, or an event that it throws and its call activity rethrows (BPMN 2.0, 13.3.3). */
export function* reportChild(execution: Execution, { childRunId, report }: ReportChildCommand): Generator<void, void> {
  const callingInstance = findCallingInstance(execution, childRunId);
  if (callingInstance === undefined) {
    execution.refuse('not_waiting', 'The run no longer waits for this child run.');
    return;
  }
  yield* addContributors(execution, report.contributors ?? []);
  const variables = 'variables' in report ? withoutReservedVariables(execution.graph, report.variables) : {};
  const taints = 'variables' in report ? filterTaints(report.taints, variables) : undefined;
  if (report.kind === 'escalation') {
    yield* escalate(execution, callingInstance, report.code, variables, taints, toRecordedContributors(report));
    return;
  }
  const instance = closeWaits(execution, callingInstance, (wait) => isOwnWait(callingInstance, wait));
  execution.emit(
    'child.ended',
    instance,
    { childRunId, how: report.kind },
    toRecordedReport(execution, instance, report, variables),
  );
  switch (report.kind) {
    case 'completed':
      completeCallActivity(execution, instance, variables, taints);
      return;
    case 'error':
      if (yield* throwError(execution, instance, report.code, variables, taints)) return;
      if (yield* endWithError(execution, report.code, report.message, variables, taints)) return;
      raiseIncident(
        execution,
        instance,
        new StepFailure(
          'unhandled_error',
          `The child run threw the error "${report.code}", and no event catches it: ${report.message}`,
        ),
        'job',
      );
      return;
    case 'failed':
      yield* failCallActivity(execution, instance, report);
      return;
  }
}

/** Returns the data of a report for a replay, without the step's output, which is recorded when the step completes. */
function toRecordedReport(
  execution: Execution,
  { elementId }: ElementInstance,
  report: Exclude<ChildReport, { kind: 'escalation' }>,
  variables: JsonObject,
): RunEventMap['child.ended']['private'] {
  const variablesField: { variables?: JsonObject } = Object.keys(variables).length === 0 ? {} : { variables };
  const contributorsField = toRecordedContributors(report);
  if (report.kind !== 'completed')
    return { code: report.code, message: report.message, ...variablesField, ...contributorsField };
  const node = execution.node(elementId);
  return (node.kind === 'callActivity' && node.propagateAllChildVariables) || !('variables' in variablesField)
    ? 'contributors' in contributorsField
      ? contributorsField
      : null
    : { ...variablesField, ...contributorsField };
}

function findCallingInstance(execution: Execution, childRunId: string): ElementInstance | undefined {
  return execution
    .getInstances()
    .find((each) =>
      each.waits?.some((wait): wait is ChildWait => wait.kind === 'child' && wait.childRunId === childRunId),
    );
}

function completeCallActivity(
  execution: Execution,
  instance: ElementInstance,
  variables: JsonObject,
  taints: Taints | undefined,
): void {
  const node = execution.node(instance.elementId);
  if (node.kind !== 'callActivity') throw new Error(`"${node.id}" is not a call activity.`);
  // Without propagation, only the output mappings can read the variables (Zeebe: `propagateAllChildVariables`).
  if (node.propagateAllChildVariables) scheduleLeave(execution, instance, variables, taints);
  else scheduleLeave(execution, setLocalVariables(execution, instance, variables, taints), null);
}

function* failCallActivity(
  execution: Execution,
  instance: ElementInstance,
  { code, message }: { code: string; message: string },
): Generator<void, void> {
  if (code === 'child_rejected' && (yield* throwDecision(execution, instance, DECISION_ERRORS.reject, {}))) return;
  if (code !== 'child_rejected' || execution.state.cancelling === true) {
    raiseIncident(execution, instance, new StepFailure(code, message), 'job');
    return;
  }
  // A rejected child run rejects its parent run.
  yield* cancelAll(execution, 'rejected');
  execution.update({ outcome: 'rejected', completedAt: execution.now });
  execution.emit('run.rejected', instance, {});
  reportToParent(execution, { kind: 'failed', code, message });
}
