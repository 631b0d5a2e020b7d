import { JOB_TYPE } from '../workload/approval-workflow.js';
import {
  drawModel,
  serviceTask,
  startEvent,
  endEvent,
  scriptTask,
  chainFlows,
  type Node,
} from '../web/models-with-diagram.js';

function approvalTask(risk: string, properties: Readonly<Record<string, string>> = {}, mapping = ''): Node {
  const propertyElements = Object.entries({ 'risk.level': risk, ...properties }).map(
    ([name, value]) => `<zeebe:property name="${name}" value="${value}" />`,
  );
  const xml = `<bpmn:userTask id="approve" name="Approve it"><bpmn:extensionElements><zeebe:userTask /><zeebe:properties>${propertyElements.join('')}</zeebe:properties>${mapping}</bpmn:extensionElements></bpmn:userTask>`;
  return { id: 'approve', xml, width: 100, height: 80 };
}

function sequentialModel(processId: string, nodes: readonly Node[]): string {
  return drawModel(processId, nodes, chainFlows(nodes.map(({ id }) => id)));
}

/** Workflow with an approval at the top of the inbox, requested by the commit that starts the run. */
export const urgentModel = sequentialModel('urgent', [startEvent, approvalTask('critical'), endEvent]);
/**
 * Like {@link urgentModel}, but a job precedes the approval, so that the changes of the job are published immediately
 * before the request.
 */
export const urgentAfterJobModel = sequentialModel('urgent-after-job', [
  startEvent,
  serviceTask('prepare', JOB_TYPE),
  approvalTask('critical'),
  endEvent,
]);
/** Workflow of the many pending approvals. */
export const pendingModel = sequentialModel('pending', [startEvent, approvalTask('low'), endEvent]);

const ELEMENT_COUNT = 300;

/**
 * Workflow with a large decision view: a large diagram, a long text and many settings. Evidence is added while the run
 * waits for its timer.
 */
export const largeModel = sequentialModel('large', [
  startEvent,
  {
    id: 'pause',
    xml: '<bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>',
    width: 36,
    height: 36,
  },
  approvalTask(
    'high',
    { 'approval.evidence': 'notes.md' },
    '<zeebe:ioMapping><zeebe:input source="=text" target="text" /><zeebe:input source="=settings" target="settings" /></zeebe:ioMapping>',
  ),
  ...Array.from({ length: ELEMENT_COUNT - 4 }, (_, index) => scriptTask(`task-${index}`, `${index}`, 'last')),
  endEvent,
]);

/** Inputs of {@link largeModel}, about 50 kB. */
export const LARGE_INPUTS = Object.freeze({
  text: Array.from({ length: 400 }, (_, line) => `Line ${line} of the text to publish, of medium length.`).join('\n'),
  settings: Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [
      `setting-${index}`,
      { value: index, reason: 'same as the previous one', on: index % 2 === 0 },
    ]),
  ),
});

/** Returns evidence of a few hundred lines, different for each number. */
export function buildLargeEvidence(number: number): string {
  return Array.from(
    { length: 300 },
    (_, line) => `- Change ${line} of ${number}: **what** it does, and why it is \`wanted\``,
  ).join('\n');
}
