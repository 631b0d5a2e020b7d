const BPMN_NAMESPACE = 'http://www.omg.org/spec/BPMN/20100524/MODEL';
const MAX_STEPS = 5;

/**
 * Returns the names of the steps that follow an element. A gateway is replaced by the steps that follow it, in all of
 * its branches. Elements without a name are omitted.
 */
export function findFollowingSteps(bpmnXml: string, elementId: string): string[] {
  const document = new DOMParser().parseFromString(bpmnXml, 'application/xml');
  const flows = [...document.getElementsByTagNameNS(BPMN_NAMESPACE, 'sequenceFlow')].map(
    (flow) => [flow.getAttribute('sourceRef'), flow.getAttribute('targetRef')] as const,
  );
  const elementsById = new Map(
    [...document.getElementsByTagNameNS(BPMN_NAMESPACE, '*')].map((element) => [element.getAttribute('id'), element]),
  );
  const visitedIds = new Set<string | null>([elementId]);
  const queue: (string | null)[] = [elementId];
  const names: string[] = [];
  for (let source = queue.shift(); source !== undefined && names.length < MAX_STEPS; source = queue.shift()) {
    for (const [from, to] of flows) {
      if (from !== source || visitedIds.has(to)) continue;
      visitedIds.add(to);
      const target = elementsById.get(to);
      if (target?.localName.endsWith('Gateway') === true) queue.push(to);
      else if (target?.getAttribute('name')) names.push(target.getAttribute('name') ?? '');
    }
  }
  return names.slice(0, MAX_STEPS);
}
