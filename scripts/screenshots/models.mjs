// BPMN files of the demo in addition to the examples: a previous and a next version of the release approval, and a
// process that notifies endpoints of a release.
import { readFile } from 'node:fs/promises';

/** Returns three versions of the release approval. The diagrams show the differences between them. */
export async function buildReleaseModels(file) {
  const current = await readFile(file, 'utf8');
  return { previous: buildPreviousVersion(current), current, next: buildNextVersion(current) };
}

/** Returns a version without the risk assessment, in which publishing is not retried. */
function buildPreviousVersion(xml) {
  const withoutAssessment = ['assess', 'assess-draft'].reduce(removeElement, xml);
  return replaceEach(withoutAssessment, [
    ['sourceRef="any-commits" targetRef="assess"', 'sourceRef="any-commits" targetRef="draft"'],
    ['<bpmn:incoming>assess-draft</bpmn:incoming>', '<bpmn:incoming>some-commits</bpmn:incoming>'],
    ['<di:waypoint x="510" y="220" />', '<di:waypoint x="670" y="220" />'],
    ['type="release-approval.publish" retries="3"', 'type="release-approval.publish" retries="1"'],
    ['<zeebe:input source="=riskFactors" target="riskFactors" />', ''],
    ['<zeebe:property name="risk.factors" value="=riskFactors" />', ''],
    [/ \+ \(if count\(riskFactors\).*?"\."\)/, ''],
  ]);
}

/**
 * Returns a version with findings in the check before the deployment: a gateway without a default flow, and a date in
 * the past.
 */
function buildNextVersion(xml) {
  return replaceEach(xml, [
    [' default="no-commits"', ''],
    [
      '<bpmn:sequenceFlow id="no-commits" name="no" sourceRef="any-commits" targetRef="nothing" />',
      '<bpmn:sequenceFlow id="no-commits" name="no" sourceRef="any-commits" targetRef="nothing"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=changes.totals.commits = 0</bpmn:conditionExpression></bpmn:sequenceFlow>',
    ],
    ['type="release-approval.publish" retries="3"', 'type="release-approval.publish" retries="5"'],
    ['<bpmn:textAnnotation id', `${DEADLINE_XML}<bpmn:textAnnotation id`],
    ['<bpmndi:BPMNShape id="released_di"', `${DEADLINE_SHAPES_XML}<bpmndi:BPMNShape id="released_di"`],
  ]);
}

const DEADLINE_XML = `<bpmn:boundaryEvent id="too-late" name="Not decided in time" attachedToRef="approve"><bpmn:timerEventDefinition id="too-late-timer"><bpmn:timeDate xsi:type="bpmn:tFormalExpression">2026-01-31T17:00:00Z</bpmn:timeDate></bpmn:timerEventDefinition></bpmn:boundaryEvent>
    <bpmn:sequenceFlow id="too-late-postponed" sourceRef="too-late" targetRef="postponed" /><bpmn:endEvent id="postponed" name="Postponed" />`;
const DEADLINE_SHAPES_XML = `<bpmndi:BPMNShape id="too-late_di" bpmnElement="too-late"><dc:Bounds x="1022" y="242" width="36" height="36" /><bpmndi:BPMNLabel><dc:Bounds x="1064" y="272" width="72" height="27" /></bpmndi:BPMNLabel></bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="postponed_di" bpmnElement="postponed"><dc:Bounds x="1022" y="322" width="36" height="36" /></bpmndi:BPMNShape>
      <bpmndi:BPMNEdge id="too-late-postponed_di" bpmnElement="too-late-postponed"><di:waypoint x="1040" y="278" /><di:waypoint x="1040" y="322" /></bpmndi:BPMNEdge>`;

/** Removes an element and its shape. */
function removeElement(xml, id) {
  const buildPattern = (prefix, elementId) =>
    new RegExp(`\\s*<(${prefix}\\w+) id="${elementId}"[^>]*?(?:/>|>[\\s\\S]*?</\\1>)`);
  return replaceEach(xml, [
    [buildPattern('bpmn:', id), ''],
    [buildPattern('bpmndi:', `${id}_di`), ''],
  ]);
}

/**
 * Replaces texts in a model.
 *
 * @throws {Error} if a text is missing, because the example has changed. Otherwise a screenshot would lack the
 * difference.
 */
function replaceEach(xml, pairs) {
  return pairs.reduce((text, [from, to]) => {
    const result = text.replace(from, () => to);
    if (result === text)
      throw new Error(`The example model does not contain ${from}. Update scripts/screenshots/models.mjs.`);
    return result;
  }, xml);
}

/** Returns a process that notifies the endpoints of a release in sequence. */
export function buildReleaseNewsModel(endpoints) {
  const tasks = endpoints.map((endpoint) => ({ id: `notify-${endpoint}`, endpoint }));
  const ids = ['start', ...tasks.map(({ id }) => id), 'end'];
  const getSize = (id) => (id.startsWith('notify-') ? { width: 100, height: 80 } : { width: 36, height: 36 });
  const getCenterX = (index) => 160 + index * 150;
  const flows = ids.slice(1).map((to, index) => ({
    id: `${ids[index]}-${to}`,
    from: ids[index],
    to,
    fromX: getCenterX(index),
    toX: getCenterX(index + 1),
  }));
  const task = ({ id, endpoint }) =>
    `<bpmn:serviceTask id="${id}" name="Notify the ${endpoint}"><bpmn:extensionElements><zeebe:taskDefinition type="notify-webhook" /><zeebe:ioMapping><zeebe:input source="${endpoint}" target="endpoint" /><zeebe:input source="org.example.released" target="type" /><zeebe:input source="={version: version}" target="data" /></zeebe:ioMapping></bpmn:extensionElements></bpmn:serviceTask>`;
  const shape = (id, index) => {
    const { width, height } = getSize(id);
    return `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${getCenterX(index) - width / 2}" y="${120 - height / 2}" width="${width}" height="${height}" /></bpmndi:BPMNShape>`;
  };
  const edge = ({ id, from, to, fromX, toX }) =>
    `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}"><di:waypoint x="${fromX + getSize(from).width / 2}" y="120" /><di:waypoint x="${toX - getSize(to).width / 2}" y="120" /></bpmndi:BPMNEdge>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="https://shop.example/release-news">
  <bpmn:process id="release-news" name="Release news" isExecutable="true">
    <bpmn:documentation>Notifies other systems that a version is released.</bpmn:documentation>
    <bpmn:startEvent id="start" name="Released" />${tasks.map(task).join('')}<bpmn:endEvent id="end" name="Notified" />
    ${flows.map(({ id, from, to }) => `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}" />`).join('')}
  </bpmn:process>
  <bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="release-news">${ids.map(shape).join('')}${flows.map(edge).join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</bpmn:definitions>
`;
}
