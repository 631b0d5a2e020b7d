import {
  type AgentCall,
  type AgentState,
  type AgentTurn,
  type AgentUsage,
  type ProposedCall,
  type RecordTurnCommand,
  addUsage,
  mergeTaintSources,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { endJob, findJob } from '../jobs.js';
import { updateAgent, isTurnJob } from './agent-state.js';
import { validateCall, MAX_CALLS_PER_TURN } from './validate-call.js';
import { endAgent, handleInvalidOutput } from './end-agent.js';
import { continueAgent } from './continue-agent.js';
import { recordDiscardedResponses } from './record-discarded-responses.js';

/**
 * Records the response of a language model. The response is recorded once and never requested again, no matter what
 * happens afterwards.
 */
export function recordTurn(execution: Execution, { jobId, turn }: RecordTurnCommand): void {
  const found = findJob(execution, jobId, isTurnJob);
  if (found === undefined) return;
  const { key, agent: previousAgent, discardedUsage } = endJob(execution, found);
  if (previousAgent !== undefined && previousAgent.definitionDigest !== turn.definitionDigest) {
    const failure = new StepFailure(
      'agent_definition_changed',
      `This step started with another definition of "${previousAgent.agent}", and can continue only with that definition. Recover the run to try again.`,
    );
    recordDiscardedResponses(execution, key, [turn], failure);
    raiseIncident(execution, execution.get(key), failure, 'job');
    return;
  }
  const calls = turn.final === null ? turn.calls.map((call, index) => createCall(execution, call, index)) : [];
  const agent = buildNextState(previousAgent, turn, calls, discardedUsage);
  const { discardedUsage: _counted, ...instance } = execution.get(key);
  execution.put({ ...instance, agent });
  emitTurn(execution, key, turn, agent);
  if (turn.final !== null && 'output' in turn.final) return endAgent(execution, key, turn.final.output);
  if (turn.final !== null && !handleInvalidOutput(execution, key, turn.final.problems)) return;
  const { taint } = agent;
  updateAgent(execution, key, { calls: calls.map((call) => ({ ...call, taint })) });
  continueAgent(execution, key);
}

function createCall(execution: Execution, proposed: ProposedCall, index: number): AgentCall {
  const call = validateCall(proposed);
  const tooManyCallsProblem = {
    code: 'too_many_calls',
    message: `One turn may have at most ${MAX_CALLS_PER_TURN} calls. Propose this call again.`,
  };
  const problem = index < MAX_CALLS_PER_TURN ? call.problem : tooManyCallsProblem;
  return { ...call, problem, callId: execution.nextId(), taint: [], round: 0, pinned: [], status: 'job' };
}

function buildNextState(
  previousAgent: AgentState | undefined,
  turn: AgentTurn,
  calls: readonly AgentCall[],
  discardedUsage: AgentUsage | undefined,
): AgentState {
  const { agent, definitionDigest, provider, budget, usage, taint } = turn;
  const previousUsage = previousAgent?.usage ?? discardedUsage;
  return {
    agent,
    definitionDigest,
    provider,
    turns: (previousAgent?.turns ?? 0) + 1,
    toolCalls: previousAgent?.toolCalls ?? 0,
    usage: previousUsage === undefined ? usage : addUsage(previousUsage, usage),
    // The step keeps the budget that it started with, as it keeps the definition.
    budget: previousAgent?.budget ?? budget,
    extensions: previousAgent?.extensions ?? 0,
    ...(previousAgent?.repaired === undefined ? {} : { repaired: previousAgent.repaired }),
    taint: mergeTaintSources(previousAgent?.taint ?? [], taint),
    calls,
  };
}

function emitTurn(execution: Execution, key: number, turn: AgentTurn, { turns, calls }: AgentState): void {
  const { agent, definitionDigest, provider, model, requestDigest, usage, text, opaque } = turn;
  execution.emit(
    'agent.turn',
    execution.get(key),
    {
      turn: turns,
      agent,
      definitionDigest,
      provider,
      model,
      requestDigest,
      calls: calls.map(({ callId, tool }) => ({ callId, tool })),
      ...usage,
    },
    {
      text,
      calls: calls.map(({ callId, toolCallId, tool, arguments: callArguments }) => ({
        callId,
        toolCallId,
        tool,
        arguments: callArguments,
      })),
      opaque,
    },
  );
}
