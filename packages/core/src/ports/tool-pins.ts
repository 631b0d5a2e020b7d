import type { ServiceIdentifier } from 'inversify';
import type { AuditEntry, JsonObject } from '@countersign/model';

/**
 * Stores the accepted versions of external tools, for all servers on the database. Each change is written together with
 * its audit entry.
 */
export interface ToolPinStore {
  /** Lists the pins by name. */
  listToolPins(): Promise<readonly StoredToolPin[]>;
  /** Pins a tool that has no pin yet. @returns whether this version is pinned now; otherwise nothing has changed */
  pinToolIfNew(tool: AcceptedContent, audit: AuditEntry): Promise<boolean>;
  /** Pins a tool in place of an earlier pin, and ends its stop. */
  acceptTool(tool: AcceptedContent, audit: AuditEntry): Promise<void>;
  /**
   * Stops an accepted tool until it is accepted again. @returns whether the tool was active; otherwise nothing has
   * changed
   */
  stopTool(name: string, acceptedDigest: string, stop: ToolStop, audit: AuditEntry): Promise<boolean>;
}

export const ToolPinStore: ServiceIdentifier<ToolPinStore> = Symbol.for('@countersign/core:ToolPinStore');

export interface AcceptedContent {
  /** The name that agents use. */
  readonly name: string;
  readonly source: string;
  /** `sha256:<hex>` of everything that the source states about the tool. */
  readonly digest: string;
  /** The description of the tool, for times when its source does not respond. */
  readonly content: JsonObject;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the person who accepted it. */
  readonly by: string;
}

export interface ToolStop {
  /** `sha256:<hex>` of everything that the source now states about the tool. */
  readonly digest: string;
  readonly code: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface StoredToolPin extends AcceptedContent {
  readonly stopped: ToolStop | null;
}
