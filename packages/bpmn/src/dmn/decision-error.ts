/** Why a decision has no result, before it is known which decision and what was evaluated until then. */
export class DecisionError extends Error {
  constructor(
    readonly code: 'dmn_not_unique' | 'dmn_any_conflict' | 'dmn_not_a_number' | 'dmn_wrong_type',
    message: string,
  ) {
    super(message);
    this.name = 'DecisionError';
  }
}
