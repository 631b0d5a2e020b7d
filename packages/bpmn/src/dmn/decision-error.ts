/**
 * Thrown when a DMN decision has no result. `evaluateDecision` converts it to a `DecisionFailure`, which names the DMN
 * decision and includes the preceding evaluations.
 */
export class DecisionError extends Error {
  constructor(
    readonly code: 'dmn_not_unique' | 'dmn_any_conflict' | 'dmn_not_a_number' | 'dmn_wrong_type',
    message: string,
  ) {
    super(message);
    this.name = 'DecisionError';
  }
}
