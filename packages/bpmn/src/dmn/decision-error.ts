/**
 * Thrown when a decision has no result. The evaluator adds the decision and what was evaluated before
 * (`DecisionFailure`).
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
