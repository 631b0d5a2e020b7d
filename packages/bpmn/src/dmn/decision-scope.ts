import type { EvaluationScope } from '@countersign/model';

/** The variables and results that expressions of the current DMN decision can read. */
export class DecisionScope {
  #results: ReadonlyMap<string, unknown> = new Map();

  constructor(private readonly variables: EvaluationScope['variables']) {}

  /** Sets the results that expressions can read; earlier results are no longer visible. */
  setResults(results: ReadonlyMap<string, unknown>): void {
    this.#results = results;
  }

  get(name: string): unknown {
    return this.#results.has(name) ? this.#results.get(name) : this.variables.get(name);
  }
}
