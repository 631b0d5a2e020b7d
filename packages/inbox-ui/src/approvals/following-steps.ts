const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL';
const MAX_STEPS = 5;

/**
 * Names of what comes after an element, seen through gateways: where one chooses, all that it could choose. Elements without
 * a name are not told.
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
  const todo: (string | null)[] = [elementId];
  const names: string[] = [];
  for (let source = todo.shift(); source !== undefined && names.length < MAX_STEPS; source = todo.shift()) {
    for (const [from, to] of flows) {
      if (from !== source || seen.has(to)) continue;
      seen.add(to);
      const target = byId.get(to);
      if (target?.localName.endsWith('Gateway') === true) todo.push(to);
      else if (target?.getAttribute('name')) names.push(target.getAttribute('name') ?? '');
    }
  }
  return names;
}
