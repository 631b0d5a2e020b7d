import { element, flow } from './models.spec.support.js';

/** Parts of BPMN models for the specs of events. */

/** Root elements that events refer to. */
export const ROOT_ELEMENTS = `
  <bpmn:message id="paid" name="paid"><bpmn:extensionElements><zeebe:subscription correlationKey="=order.id"/></bpmn:extensionElements></bpmn:message>
  <bpmn:message id="shipped" name="shipped"><bpmn:extensionElements><zeebe:subscription correlationKey="=order.id"/></bpmn:extensionElements></bpmn:message>
  <bpmn:message id="opened" name="opened"/>
  <bpmn:message id="literalKey" name="l"><bpmn:extensionElements><zeebe:subscription correlationKey="key"/></bpmn:extensionElements></bpmn:message>
  <bpmn:message id="nameless"/>
  <bpmn:message id="computed" name="=&quot;o&quot; + &quot;pened&quot;"/>
  <bpmn:message id="variable" name="=topic"/>
  <bpmn:message id="dated" name="=string(now())"/>
  <bpmn:signal id="alarm" name="alarm"/>
  <bpmn:signal id="alarmOf" name="=topic"/>
  <bpmn:signal id="namelessAlarm"/>
  <bpmn:error id="broken" name="Broken" errorCode="BROKEN"/>
  <bpmn:error id="brokenBy" errorCode="=code"/>
  <bpmn:error id="anyError" name="any"/>
  <bpmn:escalation id="late" escalationCode="LATE"/>
  <bpmn:escalation id="lateBy" escalationCode="=code"/>
  <bpmn:escalation id="anyEscalation"/>`;

export function timer(property: 'timeDate' | 'timeDuration' | 'timeCycle', value: string): string {
  return `<bpmn:timerEventDefinition><bpmn:${property} xsi:type="bpmn:tFormalExpression">${value}</bpmn:${property}></bpmn:timerEventDefinition>`;
}

export function message(ref: string): string {
  return `<bpmn:messageEventDefinition messageRef="${ref}"/>`;
}

export function signal(ref: string): string {
  return `<bpmn:signalEventDefinition signalRef="${ref}"/>`;
}

export function condition(expression: string): string {
  return `<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">${expression}</bpmn:condition></bpmn:conditionalEventDefinition>`;
}

/** Returns an error or escalation event definition. Without `ref`, it catches every code. */
export function codedDefinition(kind: 'error' | 'escalation', ref?: string): string {
  return `<bpmn:${kind}EventDefinition${ref === undefined ? '' : ` ${kind}Ref="${ref}"`}/>`;
}

export function definition(kind: string, attributes = ''): string {
  return `<bpmn:${kind}EventDefinition ${attributes}/>`;
}

export function catchEvent(id: string, definitions: string, attributes = ''): string {
  return element('intermediateCatchEvent', id, '', definitions, attributes);
}

export function throwEvent(id: string, definitions: string, extensions = ''): string {
  return element('intermediateThrowEvent', id, extensions, definitions);
}

/** Returns a sub-process of the given type with the given content. */
export function subProcessElement(type: string, id: string, content: string, attributes = ''): string {
  return element(type, id, '', content, attributes);
}

/** Returns a boundary event of an activity, and a flow from the event to the end event. */
export function boundaryEvent(id: string, definitions: string, attributes = '', activityId = 'a'): string {
  return element('boundaryEvent', id, '', definitions, `attachedToRef="${activityId}" ${attributes}`) + flow(id, 'end');
}
