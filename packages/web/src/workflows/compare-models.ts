import { diff } from 'bpmn-js-differ';
import { readModel, type Model, type ModelElement, type ModelNode } from './read-model.js';

export type ChangeKind = 'added' | 'removed' | 'changed' | 'moved';

export interface AttributeChange {
  readonly path: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Change of one element between two versions. */
export interface ElementChange {
  readonly elementId: string;
  readonly kind: ChangeKind;
  readonly type: string;
  readonly name: string | undefined;
  /** Changed attributes; empty for added and removed elements. */
  readonly attributes: readonly AttributeChange[];
  /** Whether the position or size in the diagram has changed. */
  readonly moved: boolean;
}

const CHANGE_KIND_ORDER: readonly ChangeKind[] = ['added', 'removed', 'changed', 'moved'];

/**
 * Compares two versions of a BPMN model. The layout is compared by bpmn-js-differ. The content is compared here,
 * because bpmn-js-differ ignores extension elements, which contain nearly everything that is executed.
 *
 * @throws {Error} if one of the files is not BPMN
 */
export async function compareModels(beforeXml: string, afterXml: string): Promise<readonly ElementChange[]> {
  const [oldModel, newModel] = await Promise.all([readModel(beforeXml), readModel(afterXml)]);
  const movedIds = findMovedElements(oldModel, newModel);
  const changes: ElementChange[] = [];
  for (const [id, element] of newModel.elements) {
    const oldElement = oldModel.elements.get(id);
    if (oldElement === undefined) changes.push(toElementChange(element, 'added', [], false));
    else {
      const attributes = findAttributeChanges(oldElement, element);
      if (attributes.length > 0) changes.push(toElementChange(element, 'changed', attributes, movedIds.has(id)));
      else if (movedIds.has(id)) changes.push(toElementChange(element, 'moved', [], true));
    }
  }
  for (const [id, element] of oldModel.elements)
    if (!newModel.elements.has(id)) changes.push(toElementChange(element, 'removed', [], false));
  return changes.sort((a, b) => CHANGE_KIND_ORDER.indexOf(a.kind) - CHANGE_KIND_ORDER.indexOf(b.kind));
}

function toElementChange(
  { id, type, name }: ModelElement,
  kind: ChangeKind,
  attributes: readonly AttributeChange[],
  moved: boolean,
): ElementChange {
  return { elementId: id, kind, type, name, attributes, moved };
}

function findAttributeChanges(before: ModelElement, after: ModelElement): AttributeChange[] {
  const paths = new Set([...before.facts.keys(), ...after.facts.keys()]);
  const changes = [...paths]
    .map((path) => ({ path, from: before.facts.get(path), to: after.facts.get(path) }))
    .filter(({ from, to }) => from !== to);
  return before.type === after.type ? changes : [{ path: 'type', from: before.type, to: after.type }, ...changes];
}

function findMovedElements(before: Model, after: Model): ReadonlySet<string> {
  // bpmn-js-differ fails on diagram shapes of missing elements.
  for (const { root } of [before, after]) removeDanglingShapes(root);
  return new Set(Object.keys(diff(before.root, after.root)._layoutChanged));
}

interface Plane {
  planeElement?: ModelNode[];
}

function removeDanglingShapes(root: ModelNode): void {
  for (const diagram of (root['diagrams'] ?? []) as { readonly plane?: Plane }[]) {
    const plane = diagram.plane;
    if (plane?.planeElement !== undefined)
      plane.planeElement = plane.planeElement.filter(
        ({ bpmnElement }) => typeof (bpmnElement as ModelNode | undefined)?.['id'] === 'string',
      );
  }
}
