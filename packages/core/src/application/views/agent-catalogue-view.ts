import type { JsonObject } from '@countersign/model';
import type { AvailableAgent, AvailableTool, ToolPin } from '../../ports/agent-catalogue.js';
import type { AgentBudgetView } from './agent-work-view.js';
import { toTimestamp } from './to-json-response.js';

export type AgentDefinitionView = {
  name: string;
  description: string | null;
  model: { provider: string; name: string };
  tools: string[];
  outputSchema: JsonObject | null;
  budget: AgentBudgetView;
  digest: string;
};

export type ToolView = {
  name: string;
  description: string | null;
  inputSchema: JsonObject | null;
  effect: 'read' | 'write' | null;
  reversible: boolean | null;
  source: string;
  digest: string | null;
  accepted: { digest: string; at: string; by: string } | null;
  stopped: { code: string; message: string; since: string } | null;
  unavailable: string | null;
};

export function toAgentDefinitionView({ definition, digest }: AvailableAgent): AgentDefinitionView {
  const { name, description, model, tools, outputSchema, budget } = definition;
  return {
    name,
    description,
    model: { provider: model.provider, name: model.name },
    tools: [...tools],
    outputSchema,
    budget: { ...budget },
    digest,
  };
}

export function toUnpinnedToolView({
  name,
  description,
  inputSchema,
  effect,
  reversible,
  source,
  digest,
}: AvailableTool): ToolView {
  return {
    name,
    description,
    inputSchema,
    effect,
    reversible,
    source,
    digest,
    accepted: null,
    stopped: null,
    unavailable: null,
  };
}

/** @param availableTool the tool that agents currently use, even if its source does not respond now */
export function toPinnedToolView(
  { name, source, accepted, offered, stopped, unavailable = null }: ToolPin,
  availableTool?: AvailableTool,
): ToolView {
  const visibleTool = offered ?? availableTool;
  return {
    name,
    description: visibleTool?.description ?? null,
    inputSchema: visibleTool?.inputSchema ?? null,
    effect: visibleTool?.effect ?? null,
    reversible: visibleTool?.reversible ?? null,
    source,
    digest: offered?.digest ?? null,
    accepted: accepted === null ? null : { digest: accepted.digest, at: toTimestamp(accepted.at), by: accepted.by },
    stopped:
      stopped === null ? null : { code: stopped.code, message: stopped.message, since: toTimestamp(stopped.since) },
    unavailable,
  };
}
