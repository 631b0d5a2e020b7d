export const GATE_WORKFLOW_ID = 'gate';
export const GATE_MESSAGE = 'ci.passed';
export const GATE_JOB_TYPE = 'after-gate';

/** Workflow that waits for a message and then executes a service task. */
export const GATE_WORKFLOW = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:bench">
  <bpmn:message id="message" name="${GATE_MESSAGE}"><bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements></bpmn:message>
  <bpmn:process id="${GATE_WORKFLOW_ID}" name="Gate" isExecutable="true">
    <bpmn:startEvent id="start" />
    <bpmn:intermediateCatchEvent id="wait"><bpmn:messageEventDefinition messageRef="message" /></bpmn:intermediateCatchEvent>
    <bpmn:serviceTask id="go-on"><bpmn:extensionElements><zeebe:taskDefinition type="${GATE_JOB_TYPE}" /></bpmn:extensionElements></bpmn:serviceTask>
    <bpmn:endEvent id="end" />
    <bpmn:sequenceFlow id="to-wait" sourceRef="start" targetRef="wait" />
    <bpmn:sequenceFlow id="to-go-on" sourceRef="wait" targetRef="go-on" />
    <bpmn:sequenceFlow id="to-end" sourceRef="go-on" targetRef="end" />
  </bpmn:process>
</bpmn:definitions>`;
