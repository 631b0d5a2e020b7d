import type { EvaluationScope } from '@countersign/model';

/** What the expressions of the decision that is being evaluated see. */
export class DecisionScope {
  #results: ReadonlyMap<string, unknown> = new Map();

  constructor(private readonly variables: EvaluationScope['variables']) {}

  /** From now on, the results of these required decisions are seen, and no others. */
  enter(results: ReadonlyMap<string, unknown>): void {
    this.#results = results;
  }

  get(name: string): unknown {
    return this.#results.has(name) ? this.#results.get(name) : this.variables.get(name);
  }
}
