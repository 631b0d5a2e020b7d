import type { AgentBudget } from './agent.js';
import type { JsonObject } from './json.js';

/**
 * An agent as defined by its file (`agents/*.yaml`), with defaults filled in. Its digest is the SHA-256 of its RFC 8785
 * form.
 */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string | null;
  readonly model: {
    /** Id of the model provider. */
    readonly provider: string;
    readonly name: string;
    /** Other models of the provider that a step may select. */
    readonly alternatives?: readonly string[];
    /** 0 to 2; `null`: the provider's default. */
    readonly temperature: number | null;
    readonly maxOutputTokens: number;
    /** Time limit for one response, in ms. */
    readonly timeoutMs: number;
  };
  readonly system: string;
  /** Names of the tools that the agent may call. */
  readonly tools: readonly string[];
  /** A JSON Schema of an object; `null`: the agent responds with text. */
  readonly outputSchema: JsonObject | null;
  readonly budget: AgentBudget;
}
