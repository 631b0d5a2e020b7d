import type { WorkflowGraph } from '@countersign/model';

/** A version of a workflow, with its graph as compiled by two server processes. */
export interface Version {
  readonly graph: WorkflowGraph;
  /** The graph as compiled by another process, for example after a restart. */
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

/** Returns the XML of the same model with another id for each element and each flow. */
export function renameIds(xml: string): string {
  return xml.replace(ID_ATTRIBUTES, '$1="z$2"');
}

/** Replaces the ids of the renamed version with the ids of the first version. */
export function restoreIds(text: string): string {
  return text.replace(RENAMED_ID, '$1');
}
