import { AGENT_JOB_TYPE, type ElementInstance } from '@countersign/model';
import type { Execution } from '../execution.js';
import { asStepFailure, raiseIncident } from '../incidents.js';
import { offer } from '../jobs.js';
import { questionsOf } from '../questions/close-question.js';
import { agentOf, agentTask, callOf, changeAgent, isUnderWay } from './agent-state.js';
import { stopsForBudget } from './budget.js';
import { beginCall } from './begin-call.js';

/**
 * Continues an agent step: starts every call that has no job, approval or question open, and requests the next turn
 * once all calls are done. A failure raises an incident on the step; its recovery calls this function again.
 */
export function continueAgent(execution: Execution, key: number): void {
  try {
    for (const { callId } of agentOf(execution, key).calls) {
      if (isStopped(execution.get(key))) return;
      beginCallOnce(execution, key, callId);
    }
    if (isStopped(execution.get(key)) || agentOf(execution, key).calls.some(({ status }) => status !== 'done')) return;
    nextTurn(execution, key);
  } catch (error) {
    raiseIncident(execution, execution.get(key), asStepFailure(error), 'job');
  }
}

/**
 * Returns whether nothing new may start: the step has an incident, or a question about the budget is open. Work in
 * progress continues.
 */
function isStopped(instance: ElementInstance): boolean {
  return instance.incident !== undefined || questionsOf(instance).some(({ purpose }) => purpose === 'budget');
}

function beginCallOnce(execution: Execution, key: number, callId: string): void {
  const call = callOf(execution, key, callId);
  // A call whose outcome is unknown waits for a person's answer and never runs again without it.
  if (call.status === 'done' || call.status === 'outcome' || isUnderWay(execution.get(key), callId)) return;
  if (call.round > 0) return beginCall(execution, key, call);
  if (stopsForBudget(execution, key, 'call')) return;
  const { calls, toolCalls } = agentOf(execution, key);
  const begun = { ...call, round: 1 };
  changeAgent(execution, key, { toolCalls: toolCalls + 1, calls: calls.map((each) => (each === call ? begun : each)) });
  beginCall(execution, key, begun);
}

function nextTurn(execution: Execution, key: number): void {
  if (stopsForBudget(execution, key, 'turn')) return;
  changeAgent(execution, key, { calls: [] });
  const instance = execution.get(key);
  offer(execution, agentTask(execution, instance), key, {
    jobType: AGENT_JOB_TYPE,
    toolConstraints: instance.toolConstraints ?? null,
  });
}
