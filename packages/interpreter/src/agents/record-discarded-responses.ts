import { type DiscardedResponse, addUsage } from '@countersign/model';
import type { Execution } from '../execution.js';
import { updateAgent } from './agent-state.js';

/** Records discarded responses, with the reason. Their usage is charged to the budget, like the usage of turns. */
export function recordDiscardedResponses(
  execution: Execution,
  key: number,
  responses: readonly DiscardedResponse[],
  failure: { readonly code: string; readonly message: string },
): void {
  for (const { agent, definitionDigest, provider, model, usage } of responses) {
    const instance = execution.get(key);
    const previousUsage = instance.agent?.usage ?? instance.discardedUsage;
    const totalUsage = previousUsage === undefined ? usage : addUsage(previousUsage, usage);
    if (instance.agent === undefined) execution.put({ ...instance, discardedUsage: totalUsage });
    else updateAgent(execution, key, { usage: totalUsage });
    execution.emit(
      'agent.response_discarded',
      execution.get(key),
      { agent, definitionDigest, provider, model, code: failure.code, ...usage },
      { message: failure.message },
    );
  }
}
