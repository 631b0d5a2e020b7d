import type { WorkflowGraph } from '@countersign/model';

/** A version of a workflow, compiled once for each start of the process that executes it. */
export interface Version {
  readonly graph: WorkflowGraph;
  /** The graph of another start of the process. */
  readonly recompiled: WorkflowGraph;
}

/** Versions of one workflow that a run may migrate to. */
export interface Versions {
  readonly first: Version;
  /** The first version with all ids replaced: see {@link renameIds}. */
  readonly renamed: Version;
  /** Any other version. */
  readonly other: Version;
}

const ID_ATTRIBUTES = /\b(id|sourceRef|targetRef|attachedToRef|default|activityRef)="([a-z]\d+)"/g;
const RENAMED_ID = /\bz([a-z]\d+)\b/g;

/** Returns the same written model with another id for each element and each flow. */
export function renameIds(xml: string): string {
  return xml.replace(ID_ATTRIBUTES, '$1="z$2"');
}

/** Replaces the ids of the renamed version by the ids of the first version. */
export function restoreIds(text: string): string {
  return text.replace(RENAMED_ID, '$1');
}
