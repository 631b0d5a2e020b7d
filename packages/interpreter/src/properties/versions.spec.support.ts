import type { WorkflowGraph } from '@countersign/model';

/** A version of a workflow, compiled as often as the process that runs it was started. */
export interface Version {
  readonly graph: WorkflowGraph;
  /** The graph of another start of the process. */
  readonly recompiled: WorkflowGraph;
}

/** Versions of one workflow that a run may be moved to. */
export interface Versions {
  readonly first: Version;
  /** The first one, with other ids throughout: see {@link withOtherIds}. */
  readonly renamed: Version;
  /** Any other one. */
  readonly other: Version;
}

const IDS = /\b(id|sourceRef|targetRef|attachedToRef|default|activityRef)="([a-z]\d+)"/g;
const RENAMED = /\bz([a-z]\d+)\b/g;

/** The same model as the writer of models writes it, with another id for each element and each flow. */
export function withOtherIds(xml: string): string {
  return xml.replace(IDS, '$1="z$2"');
}

/** Says by the ids of the first version what is said by those of the renamed one. */
export function byFirstIds(text: string): string {
  return text.replace(RENAMED, '$1');
}
