import type { EvaluatedDecision } from '../dmn-decision.js';

/**
 * Thrown when a DMN decision cannot be evaluated: its rules contradict its hit policy, a value has the wrong type, or a
 * FEEL expression failed (then with the FEEL code).
 */
export class DecisionFailure extends Error {
  constructor(
    /** Stable: `dmn_…` or `feel_…`. */
    readonly code: string,
    message: string,
    /** Id of the DMN decision that failed: the requested one, or one that it requires. */
    readonly decisionId: string,
    /** The decisions evaluated so far; the last is the failed decision with its partial results. */
    readonly evaluatedDecisions: readonly EvaluatedDecision[],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'DecisionFailure';
  }
}
