import {
  AGENT_JOB_TYPE,
  type AgentCall,
  type AgentState,
  type ElementInstance,
  type JobTask,
  type JobWait,
} from '@countersign/model';
import type { Execution } from '../execution.js';

/** Returns the task that an agent works on. */
export function requireAgentTask(execution: Execution, instance: ElementInstance): JobTask {
  const node = execution.node(instance.elementId);
  if (node.kind !== 'jobTask') throw new Error(`"${node.id}" is not a task that an agent can work on.`);
  return node;
}

/** Returns whether a job is a turn of an agent and not one of its tool calls. */
export function isTurnJob({ jobType, callId }: JobWait): boolean {
  return jobType === AGENT_JOB_TYPE && callId === undefined;
}

export function requireAgent(execution: Execution, key: number): AgentState {
  const { agent } = execution.get(key);
  if (agent === undefined) throw new Error(`Instance ${key} has no agent.`);
  return agent;
}

export function updateAgent(execution: Execution, key: number, change: Partial<AgentState>): AgentState {
  const agent = { ...requireAgent(execution, key), ...change };
  execution.put({ ...execution.get(key), agent });
  return agent;
}

export function requireCall(execution: Execution, key: number, callId: string): AgentCall {
  const call = requireAgent(execution, key).calls.find((each) => each.callId === callId);
  if (call === undefined) throw new Error(`The agent of instance ${key} has not proposed a call ${callId}.`);
  return call;
}

export function putCall(execution: Execution, key: number, call: AgentCall): AgentCall {
  updateAgent(execution, key, {
    calls: requireAgent(execution, key).calls.map((each) => (each.callId === call.callId ? call : each)),
  });
  return call;
}

/** Returns whether a call has a job, approval or question open. */
export function isCallInProgress({ waits = [] }: ElementInstance, callId: string): boolean {
  return waits.some(
    (wait) =>
      (wait.kind === 'question'
        ? wait.question.callId
        : wait.kind === 'job' || wait.kind === 'approval'
          ? wait.callId
          : undefined) === callId,
  );
}
