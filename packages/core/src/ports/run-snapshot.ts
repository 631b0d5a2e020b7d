import type { AgentBudget, JsonObject, ParentRun } from '@countersign/model';

/** The current state of a run, as readers need it. Each engine derives it from the state that it stores. */
export interface RunSnapshot {
  readonly runId: string;
  /** The run whose call activity started this one. */
  readonly parent: ParentRun | null;
  /** Number of the last run event. */
  readonly seq: number;
  /** Number of the last run event that erased personal data. */
  readonly erasedAt?: number;
  /** Variables of the process scope. */
  readonly variables: JsonObject;
  /** Whether the run has artifacts. */
  readonly hasArtifacts: boolean;
  /** Open steps, and the scopes that contain them. */
  readonly openSteps: readonly OpenStep[];
  /** Salts of the digests of the people that events name, by type and id of the person. */
  readonly personSalts: Readonly<Record<string, string>>;
}

export interface OpenStep {
  readonly stepId: string;
  /** Local variables. */
  readonly variables: JsonObject;
  /** The budget of the agent that works in the step. */
  readonly agentBudget: AgentBudget | null;
}
