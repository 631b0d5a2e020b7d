import { type DiscardedResponse, sumOfUsage } from '@countersign/model';
import type { Execution } from '../execution.js';
import { changeAgent } from './agent-state.js';

/** Records the usage of discarded responses and why they were discarded. It counts like the usage of turns. */
export function recordDiscarded(
  execution: Execution,
  key: number,
  responses: readonly DiscardedResponse[],
  failure: { readonly code: string; readonly message: string },
): void {
  for (const { agent, definitionDigest, provider, model, usage } of responses) {
    const instance = execution.get(key);
    const before = instance.agent?.usage ?? instance.discardedUsage;
    const all = before === undefined ? usage : sumOfUsage(before, usage);
    if (instance.agent === undefined) execution.put({ ...instance, discardedUsage: all });
    else changeAgent(execution, key, { usage: all });
    execution.emit(
      'agent.response_discarded',
      execution.get(key),
      { agent, definitionDigest, provider, model, code: failure.code, ...usage },
      { message: failure.message },
    );
  }
}
