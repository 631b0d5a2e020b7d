import { getCondition, renderFormalExpression } from './event-xml.spec.support.js';
import type { LoopSketch, TaskKind } from './sketch.spec.support.js';

interface TaskXml {
  readonly type: string;
  readonly attributes?: string;
  readonly extensions: string;
}

/** Job type that the policy of the test denies. */
export const DENIED_JOB_TYPE = 'denied';
/** The only deployed DMN decision. */
export const KNOWN_DECISION = 'known';

/** Returns the XML of a task. @param form selects one of the forms of a task of this kind */
export function renderTask(kind: TaskKind, form: number): TaskXml {
  switch (kind) {
    case 'service':
      return {
        type: form === 1 ? 'sendTask' : 'serviceTask',
        extensions: `<zeebe:taskDefinition type="${['work', 'send', 'agent', DENIED_JOB_TYPE][form] ?? 'work'}" retries="${form === 0 ? 3 : 1}"/>`,
      };
    case 'user':
      return { type: 'userTask', extensions: `<zeebe:userTask/>${USER_TASK_FORMS[form] ?? ''}` };
    case 'script':
      return {
        type: 'scriptTask',
        extensions: `<zeebe:script expression="=modulo(n${form} + 1, 5)" resultVariable="n${form}"/>`,
      };
    case 'manual':
      return { type: form % 2 === 0 ? 'manualTask' : 'task', extensions: '' };
    case 'call':
      return {
        type: 'callActivity',
        extensions: `<zeebe:calledElement processId="${form === 3 ? '=called' : 'child'}" propagateAllChildVariables="${form % 2 === 0}" propagateAllParentVariables="${form < 2}"/>`,
      };
    case 'receive':
      return { type: 'receiveTask', attributes: ` messageRef="M${form % 3}"`, extensions: '' };
    case 'decision':
      return {
        type: 'businessRuleTask',
        extensions: `<zeebe:calledDecision decisionId="${form === 3 ? 'unknown' : KNOWN_DECISION}" resultVariable="n${form}"/>`,
      };
    case 'rule':
      return { type: 'businessRuleTask', extensions: '<zeebe:taskDefinition type="rule"/>' };
  }
}

const property = (name: string, value: string): string => `<zeebe:property name="approval.${name}" value="${value}"/>`;

const USER_TASK_FORMS = [
  '',
  `<zeebe:assignmentDefinition candidateGroups="judges"/><zeebe:properties>${property('quorum', '2')}${property('evidence', 'report')}</zeebe:properties>`,
  `<zeebe:taskSchedule dueDate="2026-01-03T00:00:00Z"/><zeebe:properties>${property('onTimeout', 'reject')}</zeebe:properties>`,
  `<zeebe:taskSchedule dueDate="2026-01-03T00:00:00Z"/><zeebe:properties>${property('onTimeout', 'incident')}${property('separationOfDuties', 'distinct')}</zeebe:properties>`,
] as const;

export const MAPPING =
  '<zeebe:ioMapping><zeebe:input source="=n1" target="local"/><zeebe:output source="=local" target="n3"/></zeebe:ioMapping>';

export function renderLoop({ kind, count, extra, condition: which }: LoopSketch): string {
  if (kind === 'standard') {
    const loopCondition = which === null ? '' : renderFormalExpression('loopCondition', `=${getCondition(which)}`);
    return `<bpmn:standardLoopCharacteristics testBefore="${extra}" loopMaximum="${count + 1}">${loopCondition}</bpmn:standardLoopCharacteristics>`;
  }
  const collections =
    '<bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=list" inputElement="item" outputCollection="results" outputElement="=item"/></bpmn:extensionElements>';
  const cardinality = renderFormalExpression('loopCardinality', String(count));
  const completionCondition =
    which === null
      ? ''
      : renderFormalExpression(
          'completionCondition',
          which % 2 === 0 ? `=${getCondition(which)}` : '=numberOfCompletedInstances >= 2',
        );
  return `<bpmn:multiInstanceLoopCharacteristics isSequential="${kind === 'sequential'}">${extra ? collections : cardinality}${completionCondition}</bpmn:multiInstanceLoopCharacteristics>`;
}
