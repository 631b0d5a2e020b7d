import type { ServiceIdentifier } from 'inversify';
import type { Json, JsonObject } from '@countersign/model';
import type { LookupResult, ToolCall, ToolEffect, ToolOutput, UnknownOutcome } from './tool.js';

/** Brings tools that are only known at run time, for example those of an MCP server. */
export interface ToolSourceContribution {
  /** For people: of which server. */
  readonly name: string;
  /** What the names of its tools begin with, also of those that it does not have now. */
  readonly prefix?: string;
  /** The tools as they are now. A tool that is stopped is not among them. */
  tools(): readonly AgentTool[];
}

export const ToolSourceContribution: ServiceIdentifier<ToolSourceContribution> = Symbol.for(
  '@countersign/core:ToolSourceContribution',
);

/** A tool as the agent runtime sees it, wherever it comes from. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema (2020-12) of an object. */
  readonly inputSchema: JsonObject;
  readonly effect: ToolEffect;
  readonly reversible: boolean;
  readonly unknownOutcome: UnknownOutcome;
  /** `sha256:<hex>` over the RFC 8785 form of all of the above. */
  readonly digest: string;
  /** Checks arguments and fills defaults in. */
  parse(given: Json): { readonly arguments: JsonObject } | { readonly problems: readonly string[] };
  /** Origins as `URL.origin` gives them (RFC 6454), or `host` or `host:port` where the scheme is not known. */
  hosts(normalised: JsonObject): readonly string[];
  artifacts(normalised: JsonObject): readonly string[];
  /** @throws as {@link ToolContribution.call} */
  call(normalised: JsonObject, call: ToolCall): Promise<ToolOutput>;
  lookUp(normalised: JsonObject, call: ToolCall): Promise<LookupResult>;
}
