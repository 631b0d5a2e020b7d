import { getElement, getElements, getTag, type ModdleElement } from '../moddle.js';
import { parseXml } from '../parse-xml.js';
import { Problems } from '../problems.js';
import { locateIds } from '../scan-xml.js';

/** The definitions of a file as parsed by moddle. */
export type ModelRoot = ModdleElement;

/**
 * Parses a BPMN file for checks of its elements. Fills `<incoming>` and `<outgoing>`, which are optional, from the
 * sequence flows.
 *
 * @throws {ModelRefusedError} if the file is not well-formed BPMN XML, or contains an unknown element or attribute
 */
export async function readModel(source: string | Uint8Array): Promise<ModelRoot> {
  const root = await parseXml(source, new Problems());
  const containers = getElements(root, 'rootElements').filter((element) => getTag(element) === 'process');
  // Iterating an array includes the items added during the iteration.
  for (const container of containers) {
    const elements = getElements(container, 'flowElements');
    containers.push(...elements.filter((element) => getElements(element, 'flowElements').length > 0));
    fillFlowLists(elements);
  }
  return root;
}

function fillFlowLists(elements: readonly ModdleElement[]): void {
  const lists = {
    incoming: new Map<ModdleElement, ModdleElement[]>(),
    outgoing: new Map<ModdleElement, ModdleElement[]>(),
  };
  for (const flow of elements) {
    if (getTag(flow) !== 'sequenceFlow') continue;
    for (const [direction, end] of [
      ['incoming', 'targetRef'],
      ['outgoing', 'sourceRef'],
    ] as const) {
      const node = getElement(flow, end);
      if (node === undefined) continue;
      const known = lists[direction].get(node);
      if (known === undefined) lists[direction].set(node, [flow]);
      else known.push(flow);
    }
  }
  for (const direction of ['incoming', 'outgoing'] as const) {
    for (const [node, flows] of lists[direction])
      Object.defineProperty(node, direction, { value: flows, configurable: true, writable: true });
  }
}

/** Returns the positions of elements by id; an empty map if the file is not well-formed XML within the limits. */
export function locateElements(source: string): ReturnType<typeof locateIds> {
  try {
    return locateIds(source.replace(/^\ufeff/, ''));
  } catch {
    return new Map();
  }
}
