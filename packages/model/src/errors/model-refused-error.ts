import { brand, hasBrand } from './brand.js';
/** One reason why a model can't be deployed. */
export interface ModelProblem {
  /** The BPMN element concerned; `null` where it has no id or the whole file is meant. */
  readonly elementId: string | null;
  /** Stable, snake_case. */
  readonly code: string;
  /** For people: what is wrong and, where there is a way, how to put it right. */
  readonly message: string;
  /** Line in the XML, counted from 1, where it is known. */
  readonly line?: number;
}

/** A model is not deployed, because it can't be executed faithfully. Carries every reason that was found. */
export class ModelRefusedError extends Error {
  readonly code = 'model_refused';
  readonly problems: readonly ModelProblem[];

  constructor(problems: readonly ModelProblem[]) {
    super(summary(problems));
    this.name = 'ModelRefusedError';
    this.problems = problems;
  }
}

brand(ModelRefusedError, 'ModelRefusedError');

/** Whether this is a {@link ModelRefusedError}, of any copy of this package: use this instead of `instanceof`. */
export function isModelRefusedError(value: unknown): value is ModelRefusedError {
  return hasBrand(value, 'ModelRefusedError');
}

function summary(problems: readonly ModelProblem[]): string {
  const [first] = problems;
  if (first === undefined) return 'The model was refused.';
  const subject = first.elementId === null ? '' : `"${first.elementId}": `;
  const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return `The model was refused: ${subject}${first.message}${rest}`;
}
