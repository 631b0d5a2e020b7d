const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL';
const MAX_STEPS = 5;

/**
 * Returns the names of the steps that follow an element, looking through gateways. For a gateway that chooses, returns
 * all its branches. Elements without a name are omitted.
 */
export function followingSteps(bpmnXml: string, elementId: string): string[] {
  const document = new DOMParser().parseFromString(bpmnXml, 'application/xml');
  const flows = [...document.getElementsByTagNameNS(BPMN, 'sequenceFlow')].map(
    (flow) => [flow.getAttribute('sourceRef'), flow.getAttribute('targetRef')] as const,
  );
  const byId = new Map(
    [...document.getElementsByTagNameNS(BPMN, '*')].map((element) => [element.getAttribute('id'), element]),
  );
  const seen = new Set<string | null>([elementId]);
  const queue: (string | null)[] = [elementId];
  const names: string[] = [];
  for (let source = queue.shift(); source !== undefined && names.length < MAX_STEPS; source = queue.shift()) {
    for (const [from, to] of flows) {
      if (from !== source || seen.has(to)) continue;
      seen.add(to);
      const target = byId.get(to);
      if (target?.localName.endsWith('Gateway') === true) queue.push(to);
      else if (target?.getAttribute('name')) names.push(target.getAttribute('name') ?? '');
    }
  }
  return names;
}
