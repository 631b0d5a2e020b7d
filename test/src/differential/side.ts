import type { JsonObject } from '@countersign/core/plugin';

/** What is done to an engine, and when. In between it is left alone until it holds still. */
export type Step =
  | { readonly start: string; readonly variables?: JsonObject }
  /** The oldest job of an element, or the one of a turn of a loop (counted from 1). */
  | { readonly complete: string; readonly turn?: number; readonly variables?: JsonObject }
  | { readonly throwError: string; readonly code: string; readonly turn?: number; readonly variables?: JsonObject }
  /** The job comes to nothing, and no attempt is left. */
  | { readonly fail: string; readonly turn?: number }
  /** An attempt at the job fails. Where another one is left, it is waited for. */
  | { readonly failOnce: string; readonly turn?: number }
  /** All that has failed in the oldest run that has an incident is tried again, once these variables of it are set. */
  | { readonly recover: string; readonly variables?: JsonObject }
  /** The oldest run that lives goes on by another file. Every element that something waits at is named in the mapping. */
  | {
      readonly migrate: string;
      readonly to: string;
      readonly mapping: Readonly<Record<string, string>>;
      readonly refused?: true;
    }
  /** Jobs are done as their headers say (`throwError`), those that follow from it too, and so are timers where `timers` is. */
  | { readonly runOut: 'jobs' | 'timers' }
  /** The oldest user task of an element is done. */
  | { readonly approve: string }
  /** Messages that nobody waits for are gone. */
  | { readonly message: string; readonly key?: string; readonly variables?: JsonObject }
  | { readonly signal: string; readonly variables?: JsonObject }
  /** Time passes, timer by timer: an ISO 8601 duration. */
  | { readonly advance: string }
  /** The oldest run that lives is cancelled. */
  | { readonly cancel: string };

/** An engine that cases are played on. */
export interface Side {
  /** @returns why one of the files is refused, or `undefined` where they are deployed. */
  deploy(bpmnXml: string, dmnXml?: string): Promise<string | undefined>;
  take(step: Step): Promise<void>;
  /** All runs of the file, the oldest first. */
  observe(): Promise<readonly ObservedRun[]>;
  /** Takes away what the case has left behind. */
  close(): Promise<void>;
}

export interface ObservedRun {
  readonly processId: string;
  readonly status: 'completed' | 'ended otherwise' | 'incident' | 'waits';
  /** The elements completed in each scope, in the order of their completion. What holds the instances of a loop is `id[]`. */
  readonly completed: ByScope;
  /** The elements that were ended before their time, in no order. */
  readonly terminated: readonly string[];
  /** The elements that have an incident, in no order. */
  readonly incidents: readonly string[];
  /** Those of the process itself. */
  readonly variables: JsonObject;
}

/** By the id of the process or sub-process in which an element stands. */
export type ByScope = Readonly<Record<string, readonly string[]>>;
