import type { ServiceIdentifier } from 'inversify';
import type { Actor, AgentDefinition, JsonObject } from '@countersign/model';

/** Lists the current agents and tools of this server. A server without an agent runtime has none. */
export interface AgentCatalogue {
  /** Lists the agents by name. */
  agents(): readonly AvailableAgent[];
  /** Lists by name the tools that an agent definition may use. A stopped tool is missing: see {@link ToolPinPort}. */
  tools(): readonly AvailableTool[];
}

export const AgentCatalogue: ServiceIdentifier<AgentCatalogue> = Symbol.for('@countersign/core:AgentCatalogue');

export interface AvailableAgent {
  readonly definition: AgentDefinition;
  /** `sha256:<hex>` of the RFC 8785 form of the definition. */
  readonly digest: string;
}

/** The description of a tool for agents and people. */
export interface ToolDescription {
  readonly description: string;
  /** A JSON Schema (2020-12) whose type is `object`. */
  readonly inputSchema: JsonObject;
  readonly effect: 'read' | 'write';
  readonly reversible: boolean;
  /**
   * `sha256:<hex>`, like `AgentTool.digest`. The digest of a {@link ToolPin} covers more: everything that the source
   * states about the tool.
   */
  readonly digest: string;
}

export interface AvailableTool extends ToolDescription {
  /** The name that agents use. */
  readonly name: string;
  /** The source: `builtin` for a contribution of a plugin, otherwise the name of the source. */
  readonly source: string;
}

/**
 * Pins tools of external sources, which can change them at any time. The accepted version of each tool is pinned, and a
 * tool that differs from it is stopped.
 */
export interface ToolPinPort {
  /** Lists by name all tools that were ever accepted or are offered now. */
  list(): Promise<readonly ToolPin[]>;
  /**
   * Accepts the current version of a tool and records who accepted it. Accepting the same version again changes
   * nothing.
   *
   * @param digest the version that the user has reviewed
   * @throws {ApiError} `tool_not_found`; `stale_digest` if the source has changed the tool in the meantime
   */
  acceptTool(name: string, digest: string, actor: Actor): Promise<ToolPin>;
}

export const ToolPinPort: ServiceIdentifier<ToolPinPort> = Symbol.for('@countersign/core:ToolPinPort');

export interface ToolPin {
  /** The name that agents use. */
  readonly name: string;
  /** The name of the source, for example of an MCP server. */
  readonly source: string;
  /** The accepted version; `null` if none was accepted yet. */
  readonly accepted: AcceptedTool | null;
  /** The current description by the source; `null` if the source does not offer the tool or does not respond. */
  readonly offered: ToolDescription | null;
  /** Reason why agents cannot call the tool; `null` if they can. */
  readonly stopped: StoppedTool | null;
  /** Reason why the source is currently unavailable. The tool is still offered to agents. */
  readonly unavailable?: string | null;
}

export interface AcceptedTool {
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the principal, or of the system component that accepted the first version. */
  readonly by: string;
}

export interface StoppedTool {
  /** Code of the reason, for example `tool_changed`. */
  readonly code: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}
