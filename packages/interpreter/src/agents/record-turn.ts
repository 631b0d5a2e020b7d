import {
  type AgentCall,
  type AgentState,
  type AgentTurn,
  type AgentUsage,
  type ProposedCall,
  type RecordTurnCommand,
  sumOfUsage,
  unionOf,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { endJob, findJob } from '../jobs.js';
import { changeAgent, isTurn } from './agent-state.js';
import { checkedCall, MAX_CALLS } from './checked-call.js';
import { endAgent, repairAgent } from './end-agent.js';
import { continueAgent } from './continue-agent.js';
import { recordDiscarded } from './record-discarded.js';

/** Records the response of a language model. It is recorded once, whatever follows, and never requested again. */
export function recordTurn(execution: Execution, { jobId, turn }: RecordTurnCommand): void {
  const found = findJob(execution, jobId, isTurn);
  if (found === undefined) return;
  const { key, agent: before, discardedUsage } = endJob(execution, found);
  if (before !== undefined && before.definitionDigest !== turn.definitionDigest) {
    const failure = new StepFailure(
      'agent_definition_changed',
      `This step started with another definition of "${before.agent}", and can continue only with that one. Recover the run to try again.`,
    );
    recordDiscarded(execution, key, [turn], failure);
    raiseIncident(execution, execution.get(key), failure, 'job');
    return;
  }
  const calls = turn.final === null ? turn.calls.map((call, index) => begunCall(execution, call, index)) : [];
  const agent = nextState(before, turn, calls, discardedUsage);
  const { discardedUsage: _counted, ...instance } = execution.get(key);
  execution.put({ ...instance, agent });
  announce(execution, key, turn, agent);
  if (turn.final !== null && 'output' in turn.final) return endAgent(execution, key, turn.final.output);
  if (turn.final !== null && !repairAgent(execution, key, turn.final.problems)) return;
  const { taint } = agent;
  changeAgent(execution, key, { calls: calls.map((call) => ({ ...call, taint })) });
  continueAgent(execution, key);
}

function begunCall(execution: Execution, proposed: ProposedCall, index: number): AgentCall {
  const call = checkedCall(proposed);
  const tooMany = {
    code: 'too_many_calls',
    message: `One turn may have at most ${MAX_CALLS} calls. Propose this call again.`,
  };
  const problem = index < MAX_CALLS ? call.problem : tooMany;
  return { ...call, problem, callId: execution.nextId(), taint: [], round: 0, pinned: [], status: 'job' };
}

function nextState(
  before: AgentState | undefined,
  turn: AgentTurn,
  calls: readonly AgentCall[],
  discardedUsage: AgentUsage | undefined,
): AgentState {
  const { agent, definitionDigest, provider, budget, usage, taint } = turn;
  const earlier = before?.usage ?? discardedUsage;
  return {
    agent,
    definitionDigest,
    provider,
    turns: (before?.turns ?? 0) + 1,
    toolCalls: before?.toolCalls ?? 0,
    usage: earlier === undefined ? usage : sumOfUsage(earlier, usage),
    // Like the definition, the budget is the one that the step started with.
    budget: before?.budget ?? budget,
    extensions: before?.extensions ?? 0,
    ...(before?.repaired === undefined ? {} : { repaired: before.repaired }),
    taint: unionOf(before?.taint ?? [], taint),
    calls,
  };
}

function announce(execution: Execution, key: number, turn: AgentTurn, { turns, calls }: AgentState): void {
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
      calls: calls.map(({ callId, toolCallId, tool, arguments: given }) => ({
        callId,
        toolCallId,
        tool,
        arguments: given,
      })),
      opaque,
    },
  );
}
