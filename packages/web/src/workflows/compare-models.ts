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
  /** Whether position or size in the diagram also changed. */
  readonly moved: boolean;
}

const ORDER: readonly ChangeKind[] = ['added', 'removed', 'changed', 'moved'];

/**
 * Compares two versions of a model. bpmn-js-differ compares the layout. The content is compared here, because the
 * differ ignores extensions, which hold nearly everything that is executed.
 *
 * @throws {Error} one of them is not BPMN
 */
export async function compareModels(before: string, after: string): Promise<readonly ElementChange[]> {
  const [old, fresh] = await Promise.all([readModel(before), readModel(after)]);
  const moved = movedElements(old, fresh);
  const changes: ElementChange[] = [];
  for (const [id, element] of fresh.elements) {
    const was = old.elements.get(id);
    if (was === undefined) changes.push(change(element, 'added', [], false));
    else {
      const attributes = differences(was, element);
      if (attributes.length > 0) changes.push(change(element, 'changed', attributes, moved.has(id)));
      else if (moved.has(id)) changes.push(change(element, 'moved', [], true));
    }
  }
  for (const [id, element] of old.elements)
    if (!fresh.elements.has(id)) changes.push(change(element, 'removed', [], false));
  return changes.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

function change(
  { id, type, name }: ModelElement,
  kind: ChangeKind,
  attributes: readonly AttributeChange[],
  moved: boolean,
): ElementChange {
  return { elementId: id, kind, type, name, attributes, moved };
}

function differences(before: ModelElement, after: ModelElement): AttributeChange[] {
  const paths = new Set([...before.facts.keys(), ...after.facts.keys()]);
  const found = [...paths]
    .map((path) => ({ path, from: before.facts.get(path), to: after.facts.get(path) }))
    .filter(({ from, to }) => from !== to);
  return before.type === after.type ? found : [{ path: 'type', from: before.type, to: after.type }, ...found];
}

function movedElements(before: Model, after: Model): ReadonlySet<string> {
  // The differ fails on diagram shapes of missing elements.
  for (const { root } of [before, after]) dropDangling(root);
  return new Set(Object.keys(diff(before.root, after.root)._layoutChanged));
}

interface Plane {
  planeElement?: ModelNode[];
}

function dropDangling(root: ModelNode): void {
  for (const diagram of (root['diagrams'] ?? []) as { readonly plane?: Plane }[]) {
    const plane = diagram.plane;
    if (plane?.planeElement !== undefined)
      plane.planeElement = plane.planeElement.filter(
        ({ bpmnElement }) => typeof (bpmnElement as ModelNode | undefined)?.['id'] === 'string',
      );
  }
}
