import { AGENT_JOB_TYPE, type ElementInstance } from '@countersign/model';
import type { Execution } from '../execution.js';
import { asStepFailure, raiseIncident } from '../incidents.js';
import { offer } from '../jobs.js';
import { questionsOf } from '../questions/close-question.js';
import { agentOf, agentTask, callOf, changeAgent, isUnderWay } from './agent-state.js';
import { stopsForBudget } from './budget.js';
import { beginCall } from './begin-call.js';

/**
 * Goes on with the work of an agent: takes up the calls for which nothing is under way, and, when all of the turn are done,
 * has the model asked for the next turn. Where it fails the step is an incident, and its recovery comes here again.
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

/** Nothing new begins beside an incident, nor while people are asked about the budget. What is under way goes on. */
function isStopped(instance: ElementInstance): boolean {
  return instance.incident !== undefined || questionsOf(instance).some(({ purpose }) => purpose === 'budget');
}

function beginCallOnce(execution: Execution, key: number, callId: string): void {
  const call = callOf(execution, key, callId);
  // One that was lost is for people to say, and never made again without that.
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
