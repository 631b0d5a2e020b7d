import type { ServiceIdentifier } from 'inversify';
import type { Actor, AgentDefinition, JsonObject } from '@countersign/model';

/** The agents and the tools of this server, as they are in force now. A server without an agent runtime has none. */
export interface AgentCatalogue {
  /** By name. */
  agents(): readonly AgentInForce[];
  /** All that an agent definition may name, by name. A tool that is stopped is not among them: {@link ToolPinPort} tells of it. */
  tools(): readonly ToolInForce[];
}

export const AgentCatalogue: ServiceIdentifier<AgentCatalogue> = Symbol.for('@countersign/core:AgentCatalogue');

export interface AgentInForce {
  readonly definition: AgentDefinition;
  /** `sha256:<hex>` over the RFC 8785 form of the definition. */
  readonly digest: string;
}

/** What a tool is, as agents and people are shown it. */
export interface ToolDescription {
  readonly description: string;
  /** A JSON Schema (2020-12) of an object. */
  readonly inputSchema: JsonObject;
  readonly effect: 'read' | 'write';
  readonly reversible: boolean;
  /** `sha256:<hex>`, as `AgentTool.digest`; of a {@link ToolPin} over all that its source says of it, which is more. */
  readonly digest: string;
}

export interface ToolInForce extends ToolDescription {
  /** As agents know it. */
  readonly name: string;
  /** Where it comes from: `builtin` of a plugin's contribution, else the name of its source. */
  readonly source: string;
}

/**
 * Tools of others, which may change them at any time: what was accepted of each is pinned, and a tool that is not as it was
 * accepted is stopped.
 */
export interface ToolPinPort {
  /** All that were ever accepted or are offered now, by name. */
  list(): Promise<readonly ToolPin[]>;
  /**
   * Accepts a tool as it is offered now, and records who did, in one go. The same again changes nothing.
   *
   * @param digest of what is accepted: somebody has looked at exactly this
   * @throws {ApiError} `tool_not_found`; `stale_digest` where it is offered otherwise by now
   */
  accept(name: string, digest: string, actor: Actor): Promise<ToolPin>;
}

export const ToolPinPort: ServiceIdentifier<ToolPinPort> = Symbol.for('@countersign/core:ToolPinPort');

export interface ToolPin {
  /** As agents know it. */
  readonly name: string;
  /** Name of the source, for example of the MCP server. */
  readonly source: string;
  /** What is accepted; `null`: nothing was yet. */
  readonly accepted: AcceptedTool | null;
  /** As the source describes it now; `null`: it does not offer it, or does not answer. */
  readonly offered: ToolDescription | null;
  /** Why agents can't call it; `null`: they can. */
  readonly stopped: StoppedTool | null;
  /** Why its source can't be called at the moment; otherwise it can. Agents are given the tool all the same. */
  readonly unavailable?: string | null;
}

export interface AcceptedTool {
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the principal, or of the part of the system that took it as it was at first. */
  readonly by: string;
}

export interface StoppedTool {
  /** For example `tool_changed`. */
  readonly code: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}
