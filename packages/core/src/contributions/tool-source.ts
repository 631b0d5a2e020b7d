import type { ServiceIdentifier } from 'inversify';
import type { Json, JsonObject } from '@countersign/model';
import type { LookupResult, ToolCall, ToolEffect, ToolOutput, UnknownOutcome } from './tool.js';

/** Provides tools that are known only at run time, for example those of an MCP server. */
export interface ToolSourceContribution {
  /** Display name of the source, for example of the MCP server. */
  readonly name: string;
  /** Prefix of all its tool names, including tools that are currently missing. */
  readonly prefix?: string;
  /** Returns the current tools, without stopped tools. */
  tools(): readonly AgentTool[];
}

export const ToolSourceContribution: ServiceIdentifier<ToolSourceContribution> = Symbol.for(
  '@countersign/core:ToolSourceContribution',
);

/** A tool in the form that the agent runtime uses, independent of its source. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (2020-12) of an object. */
  readonly inputSchema: JsonObject;
  readonly effect: ToolEffect;
  readonly reversible: boolean;
  readonly unknownOutcome: UnknownOutcome;
  /** `sha256:<hex>` over the RFC 8785 form of all the properties above. */
  readonly digest: string;
  /** Validates arguments and fills in defaults. */
  parseArguments(callArguments: Json): { readonly arguments: JsonObject } | { readonly problems: readonly string[] };
  /** Returns origins as in `URL.origin` (RFC 6454), or `host` or `host:port` if the scheme is unknown. */
  hosts(normalizedArguments: JsonObject): readonly string[];
  artifacts(normalizedArguments: JsonObject): readonly string[];
  /**
   * Makes the call.
   *
   * @throws the same errors as {@link ToolContribution.call}
   */
  call(normalizedArguments: JsonObject, call: ToolCall): Promise<ToolOutput>;
  lookUp(normalizedArguments: JsonObject, call: ToolCall): Promise<LookupResult>;
}
