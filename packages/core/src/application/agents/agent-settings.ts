import type { ServiceIdentifier } from 'inversify';

export interface DefaultModel {
  readonly provider: string;
  readonly name: string;
}

/** What of the configuration the agent runtime goes by, as it is now. */
export interface AgentSettings {
  /** `Agents:Directory`. */
  readonly directories: readonly string[];
  /** `Agents:DefaultModel`: of definitions that name no model. */
  readonly defaultModel: DefaultModel | undefined;
  /** `Agents:ToolTimeout`, in milliseconds. */
  readonly toolTimeoutMs: number;
}

export const AgentSettings: ServiceIdentifier<AgentSettings> = Symbol.for('@countersign/core:AgentSettings');
