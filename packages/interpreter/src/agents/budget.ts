import {
  type AgentBudget,
  type AgentState,
  type AgentUsage,
  BUDGET_ANSWERS,
  type DiscardedResponse,
  type ElementInstance,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { openQuestion } from '../questions/open-question.js';
import { requireAgent, updateAgent } from './agent-state.js';

type Limit = 'turns' | 'toolCalls' | 'tokens' | 'costMicros';

/**
 * Stops an agent before a turn or call that its budget does not cover: opens a question or raises an incident on the
 * step.
 *
 * @returns whether the agent was stopped
 */
export function stopIfBudgetExhausted(execution: Execution, key: number, next: 'turn' | 'call'): boolean {
  const agent = requireAgent(execution, key);
  if (isPriceMissing(agent.budget, agent.usage)) {
    raiseIncident(execution, execution.get(key), priceUnknownFailure(agent.agent), 'job');
    return true;
  }
  const limit = findReachedLimit(agent, next);
  if (limit === undefined) return false;
  const shouldAskQuestion = agent.budget.onExhausted === 'question';
  const questionId = shouldAskQuestion ? execution.nextId() : null;
  execution.emit('agent.budget_exhausted', execution.get(key), { limit, questionId });
  if (questionId === null) raiseIncident(execution, execution.get(key), budgetExhaustedFailure(), 'job');
  else {
    const text = `"${agent.agent}" has used up its ${LIMIT_LABELS[limit]} budget. May it continue with the full budget again?`;
    const draft = {
      purpose: 'budget',
      callId: null,
      text,
      options: BUDGET_ANSWERS,
      answerSchema: null,
      dueAt: null,
      onDue: { kind: 'incident' },
    } as const;
    openQuestion(execution, key, draft, questionId);
  }
  return true;
}

const LIMIT_LABELS: Record<Limit, string> = {
  turns: 'turn',
  toolCalls: 'tool call',
  tokens: 'token',
  costMicros: 'cost',
};

function findReachedLimit(
  { budget, usage, turns, toolCalls, extensions }: AgentState,
  next: 'turn' | 'call',
): Limit | undefined {
  const multiplier = extensions + 1;
  if (next === 'turn' && isLimitReached(turns, budget.turns, multiplier)) return 'turns';
  if (next === 'call' && isLimitReached(toolCalls, budget.toolCalls, multiplier)) return 'toolCalls';
  return findReachedUsageLimit(budget, usage, multiplier);
}

function findReachedUsageLimit(
  budget: AgentBudget,
  usage: AgentUsage,
  multiplier: number,
): 'tokens' | 'costMicros' | undefined {
  if (isLimitReached(usage.inputTokens + usage.outputTokens, budget.tokens, multiplier)) return 'tokens';
  return isLimitReached(usage.costMicros ?? 0, budget.costMicros, multiplier) ? 'costMicros' : undefined;
}

function isLimitReached(used: number, granted: number | null, multiplier: number): boolean {
  return granted !== null && used >= granted * multiplier;
}

function isPriceMissing(budget: AgentBudget, usage: AgentUsage): boolean {
  return budget.costMicros !== null && usage.costMicros === null;
}

/** Returns whether a step, including its discarded responses, has used up its budget, so no further turn may start. */
export function isBudgetExhausted({ agent, discardedUsage }: ElementInstance, budget: AgentBudget): boolean {
  if (agent !== undefined)
    return isPriceMissing(agent.budget, agent.usage) || findReachedLimit(agent, 'turn') !== undefined;
  if (discardedUsage === undefined) return false;
  return isPriceMissing(budget, discardedUsage) || findReachedUsageLimit(budget, discardedUsage, 1) !== undefined;
}

/**
 * Stops a step whose discarded responses have used up its budget. Before the first turn, this raises an incident
 * instead of a question, because an incident allows the agent definition to change.
 */
export function stopForDiscardedUsage(execution: Execution, key: number, { agent, budget }: DiscardedResponse): void {
  const instance = execution.get(key);
  if (instance.agent !== undefined) return void stopIfBudgetExhausted(execution, key, 'turn');
  const limit = instance.discardedUsage && findReachedUsageLimit(budget, instance.discardedUsage, 1);
  if (limit === undefined) return raiseIncident(execution, instance, priceUnknownFailure(agent), 'job');
  execution.emit('agent.budget_exhausted', instance, { limit, questionId: null });
  raiseIncident(execution, instance, budgetExhaustedFailure(), 'job');
}

export const BUDGET_EXHAUSTED = 'agent_budget_exhausted';
export const PRICE_UNKNOWN = 'agent_price_unknown';

export function budgetExhaustedFailure(): StepFailure {
  return new StepFailure(
    BUDGET_EXHAUSTED,
    'The agent has exhausted its budget. Recover the run to grant it the full budget again.',
  );
}

function priceUnknownFailure(agent: string): StepFailure {
  return new StepFailure(
    PRICE_UNKNOWN,
    `The cost of "${agent}" is unknown, but its budget limits the cost. Configure the price of its language model, then recover the run.`,
  );
}

/** Grants the agent its full budget again. */
export function extendBudget(execution: Execution, key: number): void {
  const { extensions } = updateAgent(execution, key, { extensions: requireAgent(execution, key).extensions + 1 });
  execution.emit('agent.budget_extended', execution.get(key), { extensions });
}
