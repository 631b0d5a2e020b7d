/**
 * `error`: what is drawn can never work. `warning`: it works, but hardly as meant, or not in every run. `info`: worth
 * knowing.
 */
export type Severity = 'error' | 'warning' | 'info';

/** Something that the checks have to say of a model that can be deployed. */
export interface Finding {
  readonly severity: Severity;
  /** Name of the rule: stable, in kebab-case. */
  readonly rule: string;
  /** The BPMN element concerned; `null`: the whole file. */
  readonly elementId: string | null;
  /** For people: what is wrong, why, and what to do. */
  readonly message: string;
}
