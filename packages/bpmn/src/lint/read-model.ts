import { elementOf, elementsOf, tagOf, type ModdleElement } from '../moddle.js';
import { parseXml } from '../parse-xml.js';
import { Problems } from '../problems.js';
import { locateIds } from '../scan-xml.js';

/** The definitions of a file as moddle reads them. */
export type ModelRoot = ModdleElement;

/**
 * Reads a BPMN file for checks that look at its elements. `<incoming>` and `<outgoing>`, which may be left out, are what
 * the sequence flows say.
 *
 * @throws {ModelRefusedError} where it is not XML that is understood
 */
export async function readModel(source: string | Uint8Array): Promise<ModelRoot> {
  const root = await parseXml(source, new Problems());
  const containers = elementsOf(root, 'rootElements').filter((element) => tagOf(element) === 'process');
  // A list gives what is added to it while it is walked.
  for (const container of containers) {
    const elements = elementsOf(container, 'flowElements');
    containers.push(...elements.filter((element) => elementsOf(element, 'flowElements').length > 0));
    listFlows(elements);
  }
  return root;
}

function listFlows(elements: readonly ModdleElement[]): void {
  const lists = {
    incoming: new Map<ModdleElement, ModdleElement[]>(),
    outgoing: new Map<ModdleElement, ModdleElement[]>(),
  };
  for (const flow of elements) {
    if (tagOf(flow) !== 'sequenceFlow') continue;
    for (const [direction, end] of [
      ['incoming', 'targetRef'],
      ['outgoing', 'sourceRef'],
    ] as const) {
      const node = elementOf(flow, end);
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

/** Where elements begin, by their ids; empty where the file is no XML. */
export function locateElements(source: string): ReturnType<typeof locateIds> {
  try {
    return locateIds(source.replace(/^\ufeff/, ''));
  } catch {
    return new Map();
  }
}
