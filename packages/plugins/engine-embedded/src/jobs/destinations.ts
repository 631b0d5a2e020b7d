import type { AgentRuntimePort, JobHandlerContribution, JsonObject } from '@countersign/core/plugin';
import { AGENT_JOB_TYPE, type AdvanceContext, type ElementInstance, type Mapping } from '@countersign/model';
import { mappedInputs } from './mapped-inputs.js';

/** Where the work of tasks goes to, as those tell who do it: what a policy is shown in front of it. */
export function destinations(
  handlers: readonly JobHandlerContribution[],
  agents: AgentRuntimePort | undefined,
): NonNullable<AdvanceContext['hostsOf']> {
  const byType = new Map(handlers.map((handler) => [handler.jobType, handler]));
  return ({ jobType, node: { headers, inputs }, instance }) => {
    const handler = byType.get(jobType);
    if (handler !== undefined) return handler.hosts?.({ headers, inputs: hostInputs(handler, inputs, instance) }) ?? [];
    return jobType === AGENT_JOB_TYPE ? (agents?.hosts?.({ headers }, instance.agent?.provider) ?? []) : [];
  };
}

/** A copy, since the state is what later commands are decided on, and of what is needed, since others may be large. */
function hostInputs(
  { hostInputs: names = [] }: JobHandlerContribution,
  mappings: readonly Mapping[],
  instance: ElementInstance,
): JsonObject {
  const mapped = mappedInputs(mappings, instance);
  const needed = names.filter((name) => Object.hasOwn(mapped, name)).map((name) => [name, mapped[name]]);
  return structuredClone(Object.fromEntries(needed) as JsonObject);
}
