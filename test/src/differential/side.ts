import type { JsonObject } from '@countersign/core/plugin';

/** Step of a case. Between steps the engine runs until it is idle. */
export type Step =
  | { readonly start: string; readonly variables?: JsonObject }
  /** Completes the oldest job of an element, or the job of the loop instance `turn` (from 1). */
  | { readonly complete: string; readonly turn?: number; readonly variables?: JsonObject }
  | { readonly throwError: string; readonly code: string; readonly turn?: number; readonly variables?: JsonObject }
  /** The job fails, and no attempt is left. */
  | { readonly fail: string; readonly turn?: number }
  /** An attempt of the job fails. If another attempt is left, the step waits for it. */
  | { readonly failOnce: string; readonly turn?: number }
  /** Sets variables in the oldest run with an incident and retries its failed steps. */
  | { readonly recover: string; readonly variables?: JsonObject }
  /** Migrates the oldest active run to another file. The mapping contains every active element. */
  | {
      readonly migrate: string;
      readonly to: string;
      readonly mapping: Readonly<Record<string, string>>;
      readonly refused?: true;
    }
  /**
   * Executes jobs according to their headers (`throwError`) until no job is left. `timers` also fires timers until none
   * is left.
   */
  | { readonly runOut: 'jobs' | 'timers' }
  /** Completes the oldest user task of an element. */
  | { readonly approve: string }
  /** Publishes a message. The message is lost if no run waits for it. */
  | { readonly message: string; readonly key?: string; readonly variables?: JsonObject }
  | { readonly signal: string; readonly variables?: JsonObject }
  /** Advances the time, timer by timer: an ISO 8601 duration. */
  | { readonly advance: string }
  /** Cancels the oldest active run. */
  | { readonly cancel: string };

/** Engine on which cases are executed. */
export interface Side {
  /** @returns the reason for which a file is refused, or `undefined` if the files are deployed */
  deploy(bpmnXml: string, dmnXml?: string): Promise<string | undefined>;
  executeStep(step: Step): Promise<void>;
  /** Returns all runs of the file, oldest first. */
  observe(): Promise<readonly ObservedRun[]>;
  /** Cancels the active runs of the case. */
  close(): Promise<void>;
}

export interface ObservedRun {
  readonly processId: string;
  readonly status: 'completed' | 'ended otherwise' | 'incident' | 'waits';
  /** Elements completed in each scope, in order of completion. The body of a loop is `id[]`. */
  readonly completed: ByScope;
  /** Terminated elements, in no order. */
  readonly terminated: readonly string[];
  /** Elements with an incident, in no order. */
  readonly incidents: readonly string[];
  /** Variables of the process itself. */
  readonly variables: JsonObject;
}

/** Element ids by the id of the process or sub-process that contains them. */
export type ByScope = Readonly<Record<string, readonly string[]>>;
