import type { JsonObject } from '@countersign/model';
import type { AgentInForce, ToolInForce, ToolPin } from '../../ports/agent-catalogue.js';
import type { AgentBudgetView } from './agent-work-view.js';
import { timestamp } from './as-response.js';

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

export function agentDefinitionView({ definition, digest }: AgentInForce): AgentDefinitionView {
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

export function toolInForceView({
  name,
  description,
  inputSchema,
  effect,
  reversible,
  source,
  digest,
}: ToolInForce): ToolView {
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

/** @param inForce the tool that agents currently use, even if its source does not respond now */
export function pinnedToolView(
  { name, source, accepted, offered, stopped, unavailable = null }: ToolPin,
  inForce?: ToolInForce,
): ToolView {
  const shown = offered ?? inForce;
  return {
    name,
    description: shown?.description ?? null,
    inputSchema: shown?.inputSchema ?? null,
    effect: shown?.effect ?? null,
    reversible: shown?.reversible ?? null,
    source,
    digest: offered?.digest ?? null,
    accepted: accepted === null ? null : { digest: accepted.digest, at: timestamp(accepted.at), by: accepted.by },
    stopped:
      stopped === null ? null : { code: stopped.code, message: stopped.message, since: timestamp(stopped.since) },
    unavailable,
  };
}
