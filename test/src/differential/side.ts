import type { JsonObject } from '@countersign/core/plugin';

/** Step of a case. Between steps the engine runs until it is idle. */
export type Step =
  | { readonly start: string; readonly variables?: JsonObject }
  /** The oldest job of an element, or that of a loop instance (from 1). */
  | { readonly complete: string; readonly turn?: number; readonly variables?: JsonObject }
  | { readonly throwError: string; readonly code: string; readonly turn?: number; readonly variables?: JsonObject }
  /** The job fails, and no attempt is left. */
  | { readonly fail: string; readonly turn?: number }
  /** An attempt of the job fails. If another one is left, it is awaited. */
  | { readonly failOnce: string; readonly turn?: number }
  /** Sets these variables in the oldest run with an incident, then retries everything that failed in it. */
  | { readonly recover: string; readonly variables?: JsonObject }
  /** Migrates the oldest active run to another file. The mapping names every element that something waits at. */
  | {
      readonly migrate: string;
      readonly to: string;
      readonly mapping: Readonly<Record<string, string>>;
      readonly refused?: true;
    }
  /**
   * Executes jobs according to their headers (`throwError`), including those that follow, and timers if `timers` is
   * set.
   */
  | { readonly runOut: 'jobs' | 'timers' }
  /** Completes the oldest user task of an element. */
  | { readonly approve: string }
  /** Publishes a message; it is lost if nothing waits for it. */
  | { readonly message: string; readonly key?: string; readonly variables?: JsonObject }
  | { readonly signal: string; readonly variables?: JsonObject }
  /** Advances the time, timer by timer: an ISO 8601 duration. */
  | { readonly advance: string }
  /** Cancels the oldest active run. */
  | { readonly cancel: string };

/** Engine on which cases are executed. */
export interface Side {
  /** @returns why one of the files is refused, or `undefined` if they are deployed */
  deploy(bpmnXml: string, dmnXml?: string): Promise<string | undefined>;
  take(step: Step): Promise<void>;
  /** Returns all runs of the file, oldest first. */
  observe(): Promise<readonly ObservedRun[]>;
  /** Removes what the case has left behind. */
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

/** By the id of the process or sub-process that contains an element. */
export type ByScope = Readonly<Record<string, readonly string[]>>;
