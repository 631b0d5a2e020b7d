import { type Incident, type JsonObject, mergeTaintSources } from '@countersign/model';
import { endWithResult } from '../commands/job.js';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { requireAgent, requireAgentTask, updateAgent } from './agent-state.js';
import { BUDGET_EXHAUSTED, extendBudget, PRICE_UNKNOWN } from './budget.js';

/**
 * Ends the agent step with its output. As for connectors, the header `resultVariable` names the variable for the
 * output.
 */
export function endAgent(execution: Execution, key: number, output: JsonObject): void {
  const instance = execution.get(key);
  const variable = requireAgentTask(execution, instance).headers['resultVariable'];
  const { agent, taint } = requireAgent(execution, key);
  const sources = taint.length === 0 ? [] : mergeTaintSources(taint, [`agent:${agent}`]);
  endWithResult(execution, instance, variable === undefined ? output : { [variable]: output }, sources);
}

const OUTPUT_INVALID = 'agent_output_invalid';

/**
 * Handles an output that does not match its schema. The language model may repair it once.
 *
 * @returns whether a repair is still allowed
 */
export function handleInvalidOutput(execution: Execution, key: number, problems: readonly string[]): boolean {
  if (requireAgent(execution, key).repaired === true) {
    const failure = new StepFailure(
      OUTPUT_INVALID,
      `The agent's output does not match its schema, even after a repair: ${problems.slice(0, 3).join('; ')} Recover the run to let it try again.`,
    );
    raiseIncident(execution, execution.get(key), failure, 'job', { problems: [...problems] });
    return false;
  }
  requestRepair(execution, key, problems);
  return true;
}

function requestRepair(execution: Execution, key: number, problems: readonly string[]): void {
  const { turns } = updateAgent(execution, key, { repaired: true });
  execution.emit('agent.repair', execution.get(key), { turn: turns }, { problems: [...problems] });
}

/**
 * Prepares an agent to continue after its step was recovered: extends an exhausted budget, accepts an unknown cost, or
 * allows another repair of the output.
 */
export function prepareAgentRecovery(execution: Execution, key: number, { code, result }: Incident): void {
  const { agent, discardedUsage, ...instance } = execution.get(key);
  if (agent === undefined) {
    if (discardedUsage !== undefined && (code === BUDGET_EXHAUSTED || code === PRICE_UNKNOWN)) execution.put(instance);
    return;
  }
  if (code === BUDGET_EXHAUSTED) extendBudget(execution, key);
  // The previous cost is unknown; the operator who recovers the step accepts that.
  if (code === PRICE_UNKNOWN) updateAgent(execution, key, { usage: { ...agent.usage, costMicros: 0 } });
  const problems = code === OUTPUT_INVALID ? result?.['problems'] : undefined;
  if (Array.isArray(problems))
    requestRepair(
      execution,
      key,
      problems.filter((each) => typeof each === 'string'),
    );
}
