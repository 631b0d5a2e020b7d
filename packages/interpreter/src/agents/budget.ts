import { type AgentState, BUDGET_ANSWERS } from '@countersign/model';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { openQuestion } from '../questions/open-question.js';
import { agentOf, changeAgent } from './agent-state.js';

type Limit = 'turns' | 'toolCalls' | 'tokens' | 'costMicros';

/**
 * A soft stop in front of a turn or a call that the budget does not last for: a person is asked, or the step is an incident.
 *
 * @returns whether it stops here
 */
export function stopsForBudget(execution: Execution, key: number, next: 'turn' | 'call'): boolean {
  const agent = agentOf(execution, key);
  if (agent.budget.costMicros !== null && agent.usage.costMicros === null) {
    const message = `The cost of "${agent.agent}" is unknown, and its budget is in money. Configure the price of its model, then recover the run.`;
    raiseIncident(execution, execution.get(key), new StepFailure(PRICE_UNKNOWN, message), 'job');
    return true;
  }
  const limit = exceeded(agent, next);
  if (limit === undefined) return false;
  const asks = agent.budget.onExhausted === 'question';
  const questionId = asks ? execution.nextId() : null;
  execution.emit('agent.budget_exhausted', execution.get(key), { limit, questionId });
  if (questionId === null) raiseIncident(execution, execution.get(key), budgetExhausted(), 'job');
  else {
    const text = `"${agent.agent}" has used up its budget of ${LIMITS[limit]}. May it continue, with the full budget again?`;
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

const LIMITS: Record<Limit, string> = { turns: 'turns', toolCalls: 'calls', tokens: 'tokens', costMicros: 'money' };

function exceeded(
  { budget, usage, turns, toolCalls, extensions }: AgentState,
  next: 'turn' | 'call',
): Limit | undefined {
  const isSpent = (used: number, granted: number | null): boolean =>
    granted !== null && used >= granted * (extensions + 1);
  if (next === 'turn' && isSpent(turns, budget.turns)) return 'turns';
  if (next === 'call' && isSpent(toolCalls, budget.toolCalls)) return 'toolCalls';
  if (isSpent(usage.inputTokens + usage.outputTokens, budget.tokens)) return 'tokens';
  return isSpent(usage.costMicros ?? 0, budget.costMicros) ? 'costMicros' : undefined;
}

export const BUDGET_EXHAUSTED = 'agent_budget_exhausted';
export const PRICE_UNKNOWN = 'agent_price_unknown';

export function budgetExhausted(): StepFailure {
  return new StepFailure(
    BUDGET_EXHAUSTED,
    'The agent has used up its budget. Recover the run to grant it the whole budget once more.',
  );
}

/** Somebody lets the agent go on. */
export function extendBudget(execution: Execution, key: number): void {
  const { extensions } = changeAgent(execution, key, { extensions: agentOf(execution, key).extensions + 1 });
  execution.emit('agent.budget_extended', execution.get(key), { extensions });
}
