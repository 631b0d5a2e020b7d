import type { ServiceIdentifier } from 'inversify';

export interface DefaultModel {
  readonly provider: string;
  readonly name: string;
}

/** Current configuration values of the agent runtime. */
export interface AgentSettings {
  /** `Agents:Directory`. */
  readonly directories: readonly string[];
  /** `Agents:DefaultModel`, for definitions that name no language model. */
  readonly defaultModel: DefaultModel | undefined;
  /** `Agents:ToolTimeout`, in milliseconds. */
  readonly toolTimeoutMs: number;
}

export const AgentSettings: ServiceIdentifier<AgentSettings> = Symbol.for('@countersign/core:AgentSettings');
