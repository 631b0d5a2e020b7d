import { AGENT_JOB_TYPE, type ElementInstance } from '@countersign/model';
import type { Execution } from '../execution.js';
import { toStepFailureOrRethrow, raiseIncident } from '../incidents.js';
import { openJob } from '../jobs.js';
import { getPendingQuestions } from '../questions/close-question.js';
import { requireAgent, requireAgentTask, requireCall, updateAgent, isCallInProgress } from './agent-state.js';
import { stopIfBudgetExhausted } from './budget.js';
import { startCall } from './start-call.js';

/**
 * Continues an agent step: starts every call that has no job, approval or question open, and requests the next turn
 * once all calls are done. A failure raises an incident on the step; its recovery calls this function again.
 */
export function continueAgent(execution: Execution, key: number): void {
  try {
    for (const { callId } of requireAgent(execution, key).calls) {
      if (isStopped(execution.get(key))) return;
      startCallIfIdle(execution, key, callId);
    }
    if (isStopped(execution.get(key)) || requireAgent(execution, key).calls.some(({ status }) => status !== 'done'))
      return;
    requestNextTurn(execution, key);
  } catch (error) {
    raiseIncident(execution, execution.get(key), toStepFailureOrRethrow(error), 'job');
  }
}

/**
 * Returns whether nothing new may start: the step has an incident, or a question about the budget is open. Work in
 * progress continues.
 */
function isStopped(instance: ElementInstance): boolean {
  return instance.incident !== undefined || getPendingQuestions(instance).some(({ purpose }) => purpose === 'budget');
}

function startCallIfIdle(execution: Execution, key: number, callId: string): void {
  const call = requireCall(execution, key, callId);
  // A call whose outcome is unknown waits for a person's answer and never runs again without it.
  if (call.status === 'done' || call.status === 'outcome' || isCallInProgress(execution.get(key), callId)) return;
  if (call.round > 0) return startCall(execution, key, call);
  if (stopIfBudgetExhausted(execution, key, 'call')) return;
  const { calls, toolCalls } = requireAgent(execution, key);
  const startedCall = { ...call, round: 1 };
  updateAgent(execution, key, {
    toolCalls: toolCalls + 1,
    calls: calls.map((each) => (each === call ? startedCall : each)),
  });
  startCall(execution, key, startedCall);
}

function requestNextTurn(execution: Execution, key: number): void {
  if (stopIfBudgetExhausted(execution, key, 'turn')) return;
  updateAgent(execution, key, { calls: [] });
  const instance = execution.get(key);
  openJob(execution, requireAgentTask(execution, instance), key, {
    jobType: AGENT_JOB_TYPE,
    toolConstraints: instance.toolConstraints ?? null,
  });
}
