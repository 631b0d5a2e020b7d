// Models beside the examples: what the release was approved by before, what somebody would make of it next, and whom a
// release is told to.
import { readFile } from 'node:fs/promises';

/** The release as it was, and as it is: what is added and changed can be seen on the diagrams. */
export async function releaseModels(file) {
  const now = await readFile(file, 'utf8');
  return { before: before(now), now, next: next(now) };
}

/** Nobody worked out the risk, and the notes were written in one attempt. */
function before(xml) {
  const bare = ['assess', 'assess-draft'].reduce(without, xml);
  return replaced(bare, [
    ['sourceRef="any-commits" targetRef="assess"', 'sourceRef="any-commits" targetRef="draft"'],
    ['<bpmn:incoming>assess-draft</bpmn:incoming>', '<bpmn:incoming>some-commits</bpmn:incoming>'],
    ['<di:waypoint x="510" y="220" />', '<di:waypoint x="670" y="220" />'],
    ['type="release-approval.publish" retries="3"', 'type="release-approval.publish" retries="1"'],
    ['<zeebe:input source="=riskFactors" target="riskFactors" />', ''],
    ['<zeebe:property name="risk.factors" value="=riskFactors" />', ''],
    [/ \+ \(if count\(riskFactors\).*?"\."\)/, ''],
  ]);
}

/** It is checked before it is deployed, and that finds something: a gateway without a default, and a date that is over. */
function next(xml) {
  return replaced(xml, [
    [' default="no-commits"', ''],
    [
      '<bpmn:sequenceFlow id="no-commits" name="no" sourceRef="any-commits" targetRef="nothing" />',
      '<bpmn:sequenceFlow id="no-commits" name="no" sourceRef="any-commits" targetRef="nothing"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=changes.totals.commits = 0</bpmn:conditionExpression></bpmn:sequenceFlow>',
    ],
    ['type="release-approval.publish" retries="3"', 'type="release-approval.publish" retries="5"'],
    ['<bpmn:textAnnotation id', `${TOO_LATE}<bpmn:textAnnotation id`],
    ['<bpmndi:BPMNShape id="released_di"', `${TOO_LATE_DRAWN}<bpmndi:BPMNShape id="released_di"`],
  ]);
}

const TOO_LATE = `<bpmn:boundaryEvent id="too-late" name="Not decided in time" attachedToRef="approve"><bpmn:timerEventDefinition id="too-late-timer"><bpmn:timeDate xsi:type="bpmn:tFormalExpression">2026-01-31T17:00:00Z</bpmn:timeDate></bpmn:timerEventDefinition></bpmn:boundaryEvent>
    <bpmn:sequenceFlow id="too-late-postponed" sourceRef="too-late" targetRef="postponed" /><bpmn:endEvent id="postponed" name="Postponed" />`;
const TOO_LATE_DRAWN = `<bpmndi:BPMNShape id="too-late_di" bpmnElement="too-late"><dc:Bounds x="1022" y="242" width="36" height="36" /><bpmndi:BPMNLabel><dc:Bounds x="1064" y="272" width="72" height="27" /></bpmndi:BPMNLabel></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="postponed_di" bpmnElement="postponed"><dc:Bounds x="1022" y="322" width="36" height="36" /></bpmndi:BPMNShape>
      <bpmndi:BPMNEdge id="too-late-postponed_di" bpmnElement="too-late-postponed"><di:waypoint x="1040" y="278" /><di:waypoint x="1040" y="322" /></bpmndi:BPMNEdge>`;

/** Without an element, its shape, and what names it. */
function without(xml, id) {
  const element = (prefix, own) => new RegExp(`\\s*<(${prefix}\\w+) id="${own}"[^>]*?(?:/>|>[\\s\\S]*?</\\1>)`);
  return replaced(xml, [
    [element('bpmn:', id), ''],
    [element('bpmndi:', `${id}_di`), ''],
  ]);
}

/** The example may change; then it is said here, and not by a picture that shows nothing. */
function replaced(xml, pairs) {
  return pairs.reduce((text, [from, to]) => {
    const result = text.replace(from, () => to);
    if (result === text) throw new Error(`The model holds no ${from}.`);
    return result;
  }, xml);
}

/** Tells each of these endpoints of a release, one after the other. */
export function newsModel(endpoints) {
  const tasks = endpoints.map((endpoint) => ({ id: `tell-${endpoint}`, endpoint }));
  const ids = ['start', ...tasks.map(({ id }) => id), 'end'];
  const sizeOf = (id) => (id.startsWith('tell-') ? { width: 100, height: 80 } : { width: 36, height: 36 });
  const middle = (index) => 160 + index * 150;
  const flows = ids.slice(1).map((to, index) => ({
    id: `${ids[index]}-${to}`,
    from: ids[index],
    to,
    left: middle(index),
    right: middle(index + 1),
  }));
  const task = ({ id, endpoint }) =>
    `<bpmn:serviceTask id="${id}" name="Tell the ${endpoint}"><bpmn:extensionElements><zeebe:taskDefinition type="notify-webhook" /><zeebe:ioMapping><zeebe:input source="${endpoint}" target="endpoint" /><zeebe:input source="org.example.released" target="type" /><zeebe:input source="={version: version}" target="data" /></zeebe:ioMapping></bpmn:extensionElements></bpmn:serviceTask>`;
  const shape = (id, index) => {
    const { width, height } = sizeOf(id);
    return `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${middle(index) - width / 2}" y="${120 - height / 2}" width="${width}" height="${height}" /></bpmndi:BPMNShape>`;
  };
  const edge = ({ id, from, to, left, right }) =>
    `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}"><di:waypoint x="${left + sizeOf(from).width / 2}" y="120" /><di:waypoint x="${right - sizeOf(to).width / 2}" y="120" /></bpmndi:BPMNEdge>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="https://shop.example/release-news">
  <bpmn:process id="release-news" name="Release news" isExecutable="true">
    <bpmn:documentation>Tells those who have to know that a version is released.</bpmn:documentation>
    <bpmn:startEvent id="start" name="Released" />${tasks.map(task).join('')}<bpmn:endEvent id="end" name="Told" />
    ${flows.map(({ id, from, to }) => `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}" />`).join('')}
  </bpmn:process>
  <bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="release-news">${ids.map(shape).join('')}${flows.map(edge).join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</bpmn:definitions>
`;
}
