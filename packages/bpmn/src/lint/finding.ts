/**
 * `error`: the model can never work as drawn. `warning`: it works, but probably not as intended, or not in every run.
 * `info`: useful to know.
 */
export type Severity = 'error' | 'warning' | 'info';

/** A result of the checks of a model that can be deployed. */
export interface Finding {
  readonly severity: Severity;
  /** Name of the rule: stable, in kebab-case. */
  readonly rule: string;
  /** The BPMN element concerned; `null`: the whole file. */
  readonly elementId: string | null;
  /** For people: what is wrong, why, and what to do. */
  readonly message: string;
}
