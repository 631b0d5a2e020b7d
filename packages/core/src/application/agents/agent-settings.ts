import type { ServiceIdentifier } from 'inversify';

/** What of the configuration the agent runtime goes by, as it is now. */
export interface AgentSettings {
  /** `Agents:Directory`. */
  readonly directories: readonly string[];
  /** `Agents:ToolTimeout`, in milliseconds. */
  readonly toolTimeoutMs: number;
}

export const AgentSettings: ServiceIdentifier<AgentSettings> = Symbol.for('@countersign/core:AgentSettings');
