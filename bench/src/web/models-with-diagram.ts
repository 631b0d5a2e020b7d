/** Start of a BPMN model with a diagram (BPMN DI), for pages that show it. */

const DEFINITIONS_START = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:bench">`;

export interface Node {
  readonly id: string;
  readonly xml: string;
  readonly width: number;
  readonly height: number;
}

interface Flow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly condition?: string;
}

const NODES_PER_ROW = 20;

/** Returns a BPMN model whose diagram shows the nodes in rows from left to right, with straight flows between them. */
export function drawModel(processId: string, nodes: readonly Node[], flows: readonly Flow[]): string {
  const bounds = new Map(
    nodes.map(({ id, width, height }, index) => [
      id,
      {
        x: 40 + (index % NODES_PER_ROW) * 150 - width / 2 + 50,
        y: 40 + Math.floor(index / NODES_PER_ROW) * 130 - height / 2 + 40,
        width,
        height,
      },
    ]),
  );
  const shapes = nodes.map(({ id }) => {
    const { x, y, width, height } = requireElement(bounds, id);
    return `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}" /></bpmndi:BPMNShape>`;
  });
  const edges = flows.map(({ id, from, to }) => {
    const [a, b] = [requireElement(bounds, from), requireElement(bounds, to)];
    return `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}"><di:waypoint x="${a.x + a.width}" y="${a.y + a.height / 2}" /><di:waypoint x="${b.x}" y="${b.y + b.height / 2}" /></bpmndi:BPMNEdge>`;
  });
  const sequenceFlows = flows.map(({ id, from, to, condition }) =>
    condition === undefined
      ? `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}" />`
      : `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${condition}</bpmn:conditionExpression></bpmn:sequenceFlow>`,
  );
  return `${DEFINITIONS_START}
  <bpmn:process id="${processId}" name="${processId}" isExecutable="true">${nodes.map(({ xml }) => xml).join('')}${sequenceFlows.join('')}</bpmn:process>
  <bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="${processId}">${shapes.join('')}${edges.join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</bpmn:definitions>`;
}

function requireElement<P>(items: ReadonlyMap<string, P>, id: string): P {
  const found = items.get(id);
  if (found === undefined) throw new TypeError(`The model has no element ${id}.`);
  return found;
}

export const startEvent: Node = { id: 'start', xml: '<bpmn:startEvent id="start" />', width: 36, height: 36 };
export const endEvent: Node = { id: 'end', xml: '<bpmn:endEvent id="end" />', width: 36, height: 36 };

export function scriptTask(id: string, expression: string, result: string): Node {
  const xml = `<bpmn:scriptTask id="${id}" name="Step ${id}"><bpmn:extensionElements><zeebe:script expression="=${expression}" resultVariable="${result}" /></bpmn:extensionElements></bpmn:scriptTask>`;
  return { id, xml, width: 100, height: 80 };
}

export function serviceTask(id: string, jobType: string): Node {
  return {
    id,
    xml: `<bpmn:serviceTask id="${id}" name="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${jobType}" /></bpmn:extensionElements></bpmn:serviceTask>`,
    width: 100,
    height: 80,
  };
}

export function chainFlows(ids: readonly string[]): Flow[] {
  return ids.slice(1).map((to, index) => ({ id: `flow-${index}`, from: ids[index] ?? '', to }));
}

/**
 * Returns a BPMN model of `elementCount` consecutive elements (flows are not counted), with an approval in the middle.
 */
export function buildWideModel(processId: string, elementCount: number): string {
  const tasks = Array.from({ length: elementCount - 2 }, (_, index) =>
    index === Math.floor(elementCount / 2)
      ? {
          id: 'approve',
          xml: '<bpmn:userTask id="approve" name="Approve it"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask>',
          width: 100,
          height: 80,
        }
      : scriptTask(`task-${index}`, `${index}`, 'last'),
  );
  const nodes = [startEvent, ...tasks, endEvent];
  return drawModel(processId, nodes, chainFlows(nodes.map(({ id }) => id)));
}

/** Returns a BPMN model of a loop with `passCount` passes and an approval after it. */
export function buildLoopModel(processId: string, passCount: number): string {
  const gateway: Node = {
    id: 'again',
    xml: '<bpmn:exclusiveGateway id="again" default="flow-done" />',
    width: 50,
    height: 50,
  };
  const approve: Node = {
    id: 'approve',
    xml: '<bpmn:userTask id="approve" name="Approve it"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask>',
    width: 100,
    height: 80,
  };
  const flows: Flow[] = [
    { id: 'flow-in', from: 'start', to: 'turn' },
    { id: 'flow-look', from: 'turn', to: 'again' },
    { id: 'flow-back', from: 'again', to: 'turn', condition: `=n &lt; ${passCount}` },
    { id: 'flow-done', from: 'again', to: 'approve' },
    { id: 'flow-end', from: 'approve', to: 'end' },
  ];
  return drawModel(
    processId,
    [startEvent, scriptTask('turn', 'if n = null then 1 else n + 1', 'n'), gateway, approve, endEvent],
    flows,
  );
}

/** Returns a BPMN model of a job, an approval and another job. */
export function buildApprovalModel(processId: string, jobType: string): string {
  const approve: Node = {
    id: 'approve',
    xml: '<bpmn:userTask id="approve" name="Approve it"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask>',
    width: 100,
    height: 80,
  };
  const nodes = [startEvent, serviceTask('prepare', jobType), approve, serviceTask('perform', jobType), endEvent];
  return drawModel(processId, nodes, chainFlows(nodes.map(({ id }) => id)));
}
