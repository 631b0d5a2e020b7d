import { brand, hasBrand } from './brand.js';
/** A reason why a BPMN or DMN model cannot be deployed. */
export interface ModelProblem {
  /** Id of the BPMN element; `null` if it has no id or the problem concerns the whole file. */
  readonly elementId: string | null;
  /** Stable, snake_case. */
  readonly code: string;
  /** Message for users: the problem and, if possible, the fix. */
  readonly message: string;
  /** Line in the XML, counted from 1, if known. */
  readonly line?: number;
}

/** Thrown when a BPMN or DMN model cannot be deployed, because it cannot be executed faithfully. Lists all problems. */
export class ModelRefusedError extends Error {
  readonly code = 'model_refused';
  readonly problems: readonly ModelProblem[];

  constructor(problems: readonly ModelProblem[]) {
    super(formatMessage(problems));
    this.name = 'ModelRefusedError';
    this.problems = problems;
  }
}

brand(ModelRefusedError, 'ModelRefusedError');

/**
 * Returns whether a value is a {@link ModelRefusedError}, from any copy of this package. Use this instead of
 * `instanceof`.
 */
export function isModelRefusedError(value: unknown): value is ModelRefusedError {
  return hasBrand(value, 'ModelRefusedError');
}

function formatMessage(problems: readonly ModelProblem[]): string {
  const [first] = problems;
  if (first === undefined) return 'The model was refused.';
  const subject = first.elementId === null ? '' : `"${first.elementId}": `;
  const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return `The model was refused: ${subject}${first.message}${rest}`;
}
