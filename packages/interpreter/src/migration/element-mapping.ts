import type { FlowNode, WorkflowGraph } from '@countersign/model';
import type { MigrationRefusal } from './migration-refusal.js';

/**
 * Maps elements of the source version to elements of the target version: to the element that the mapping names, or else
 * to the element with the same id, if it has the same type.
 */
export class ElementMapping {
  private readonly explicitIds: ReadonlyMap<string, string>;

  constructor(
    readonly source: WorkflowGraph,
    readonly target: WorkflowGraph,
    mapping: Readonly<Record<string, string>>,
  ) {
    this.explicitIds = new Map(Object.entries(mapping));
  }

  isExplicit(elementId: string): boolean {
    return this.explicitIds.has(elementId);
  }

  /** Returns the id of the counterpart, or `undefined`. */
  findTargetId(elementId: string): string | undefined {
    if (elementId === this.source.workflowId) return this.target.workflowId;
    const explicitId = this.explicitIds.get(elementId);
    if (explicitId !== undefined) return explicitId;
    const [before, after] = [this.source.nodes.get(elementId), this.target.nodes.get(elementId)];
    return before !== undefined && after !== undefined && isSameType(before, after) ? elementId : undefined;
  }

  findTargetNode(elementId: string): FlowNode | undefined {
    const id = this.findTargetId(elementId);
    return id === undefined ? undefined : this.target.nodes.get(id);
  }

  /** Returns a refusal for each unknown element id in the mapping. */
  findRefusals(): MigrationRefusal[] {
    return [...this.explicitIds].flatMap(([from, to]) => {
      const found: MigrationRefusal[] = [];
      if (!this.source.nodes.has(from)) {
        found.push({
          code: 'mapping_source_unknown',
          elementId: from,
          message: `The current version of the run has no element "${from}".`,
        });
      }
      if (!this.target.nodes.has(to)) {
        found.push({
          code: 'mapping_target_unknown',
          elementId: from,
          message: `The target version has no element "${to}", which "${from}" is mapped to.`,
        });
      }
      return found;
    });
  }
}

/** Returns whether two elements have the same type, so the state of one is valid for the other. */
export function isSameType(before: FlowNode, after: FlowNode): boolean {
  return (
    before.kind === after.kind && before.type === after.type && before.isForCompensation === after.isForCompensation
  );
}
