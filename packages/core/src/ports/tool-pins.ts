import type { ServiceIdentifier } from 'inversify';
import type { AuditEntry, JsonObject } from '@countersign/model';

/**
 * What was accepted of the tools of others, for all servers on the database. Each change is written with its audit entry, or
 * not at all.
 */
export interface ToolPinStore {
  /** By name. */
  listToolPins(): Promise<readonly StoredToolPin[]>;
  /** Pins a tool of which nothing was accepted yet. @returns whether it is this that is pinned now; otherwise nothing was changed */
  pinToolFirst(tool: AcceptedContent, audit: AuditEntry): Promise<boolean>;
  /** Pins a tool, whatever was accepted of it before, and ends its stop. */
  acceptTool(tool: AcceptedContent, audit: AuditEntry): Promise<void>;
  /** Stops a tool that runs on what is accepted, until it is accepted again. @returns whether it did run; otherwise nothing was changed */
  stopTool(name: string, acceptedDigest: string, stop: ToolStop, audit: AuditEntry): Promise<boolean>;
}

export const ToolPinStore: ServiceIdentifier<ToolPinStore> = Symbol.for('@countersign/core:ToolPinStore');

export interface AcceptedContent {
  /** As agents know it. */
  readonly name: string;
  readonly source: string;
  /** `sha256:<hex>` over all that the source says of the tool. */
  readonly digest: string;
  /** What the tool is, for as long as its source does not answer. */
  readonly content: JsonObject;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of who accepted it. */
  readonly by: string;
}

export interface ToolStop {
  /** Of what the source says now. */
  readonly digest: string;
  readonly code: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface StoredToolPin extends AcceptedContent {
  readonly stopped: ToolStop | null;
}
