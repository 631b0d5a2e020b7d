import type { RunEventMap } from './run-event-map.js';

export type RunEventType = keyof RunEventMap;

export interface RunEventDefinition {
  /**
   * Increases if a member of `data` or `private` is removed or changes its meaning; a new optional member does not
   * change it. An event of version 2 or later states its version as `data.eventVersion`, which its hash covers.
   */
  readonly version: number;
  readonly description: string;
}

const define = (version: number, description: string): RunEventDefinition => Object.freeze({ version, description });

/** The types of run events, with their versions. `RunEventMap` has the members of each type. */
export const RUN_EVENT_DEFINITIONS: Readonly<Record<RunEventType, RunEventDefinition>> = Object.freeze({
  'run.started': define(1, 'The run started.'),
  'run.completed': define(1, 'The run completed.'),
  'run.failed': define(1, 'The run failed.'),
  'run.cancelled': define(1, 'The run was cancelled, after the compensation of its completed steps.'),
  'run.rejected': define(1, 'The run ended because an approval was rejected.'),
  'run.cancel_requested': define(1, 'The cancellation of the run was requested.'),
  'run.recovered': define(1, 'Failed steps are retried.'),
  'run.migrated': define(1, 'The run moved to another version of its workflow.'),
  'step.started': define(1, 'A step started.'),
  'step.completed': define(1, 'A step completed.'),
  'step.failed': define(1, 'A step failed and waits for a recovery.'),
  'step.attempt_failed': define(1, 'An attempt of a step failed; the step is retried later.'),
  'step.retried': define(1, 'A failed step is retried, because the run was recovered.'),
  'step.cancelled': define(1, 'A step was cancelled.'),
  'step.migrated': define(1, 'A step belongs to another element, because the run was migrated.'),
  'step.compensated': define(1, 'The compensation of a step completed.'),
  'approval.requested': define(1, 'An approval was requested.'),
  'approval.voted': define(1, 'A person voted on an approval.'),
  'approval.resolved': define(1, 'An approval was resolved: its votes decide it.'),
  'approval.withdrawn': define(
    1,
    'An approval was withdrawn, for example because its step was cancelled or its subject changed.',
  ),
  'approval.expired': define(1, 'The due date of an approval passed without a decision.'),
  'approval.delegated': define(1, 'A candidate delegated an approval.'),
  'approval.reassigned': define(1, 'An approval got other candidates.'),
  'approval.commented': define(1, 'A person commented on an approval, without voting.'),
  'rework.started': define(1, 'The run went back to an earlier element, because changes were requested.'),
  'message.awaited': define(1, 'A step waits for a message.'),
  'message.received': define(1, 'A message reached a step.'),
  'event.awaited': define(1, 'A step waits for an event in addition to its own, for example for a boundary event.'),
  'signal.received': define(1, 'A signal reached a step.'),
  'timer.fired': define(1, 'A timer was due.'),
  'condition.met': define(1, 'A condition became true.'),
  'error.thrown': define(1, 'A step threw a BPMN error.'),
  'error.caught': define(1, 'An event caught a BPMN error.'),
  'escalation.thrown': define(1, 'A step threw an escalation.'),
  'escalation.caught': define(1, 'An event caught an escalation.'),
  'compensation.started': define(1, 'Completed steps are compensated, in the recorded order.'),
  'compensation.completed': define(1, 'The compensation completed.'),
  'child.requested': define(1, 'A call activity requested its child run.'),
  'child.ended': define(1, 'The child run of a call activity ended.'),
  'contributors.added': define(1, 'People contributed to the data of the parent run or of a child run.'),
  'decision.evaluated': define(1, 'A DMN decision was evaluated.'),
  'decision.failed': define(1, 'A DMN decision could not be evaluated.'),
  'artifact.created': define(1, 'A version of an artifact was stored.'),
  'personal_data.erased': define(1, 'Personal data was erased.'),
  'agent.turn': define(1, 'The language model of an agent responded.'),
  'agent.response_discarded': define(
    1,
    'The language model responded, but the response was unusable; its usage still counts.',
  ),
  'agent.call.requested': define(
    1,
    'A tool call of an agent was assessed. Recorded again when its approval is requested again, and when a person has edited it.',
  ),
  'agent.call.dispatched': define(1, 'A job that executes the tool call was created.'),
  'agent.call.completed': define(1, 'The tool call has a result, as the language model receives it.'),
  'agent.call.refused': define(1, 'The tool call was not executed.'),
  'agent.call.changed': define(
    1,
    'The tool or the policy has changed since the tool call was assessed; it is assessed again.',
  ),
  'agent.call.lost': define(1, 'It is unknown whether the tool call was executed.'),
  'agent.repair': define(1, 'The language model is asked once to correct its output.'),
  'agent.budget_exhausted': define(1, 'The agent reached a limit of its budget.'),
  'agent.budget_extended': define(1, 'A person extended the budget of the agent.'),
  'question.asked': define(1, 'An agent or the runtime asked a question.'),
  'question.answered': define(1, 'A person answered a question.'),
  'question.expired': define(1, 'A question expired without an answer.'),
  'question.withdrawn': define(1, 'A question was withdrawn.'),
});

/** The types of run events. A newer server may have written events of other types. */
export const RUN_EVENT_TYPES = Object.freeze(Object.keys(RUN_EVENT_DEFINITIONS) as RunEventType[]);
