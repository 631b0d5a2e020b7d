import type { EvaluatedDecision } from '../decision.js';

/**
 * A decision has no result: its rules contradict its hit policy, a value is of the wrong type, or a FEEL expression
 * failed (then the code is that of FEEL).
 */
export class DecisionFailure extends Error {
  constructor(
    /** Stable: `dmn_…` or `feel_…`. */
    readonly code: string,
    message: string,
    /** The decision that failed: the one that was asked for, or one that it requires. */
    readonly decisionId: string,
    /** What was evaluated until then; the last is the decision that failed, with what it had found out. */
    readonly evaluatedDecisions: readonly EvaluatedDecision[],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'DecisionFailure';
  }
}
