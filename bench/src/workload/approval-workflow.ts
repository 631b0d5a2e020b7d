export const WORKFLOW_ID = 'approval';
export const JOB_TYPE = 'work';

const task = (id: string): string =>
  `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${JOB_TYPE}" /></bpmn:extensionElements></bpmn:serviceTask>`;

/** Start, service task, approval, gateway, service task, end. */
export const APPROVAL_WORKFLOW = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:bench">
  <bpmn:process id="${WORKFLOW_ID}" name="Approval" isExecutable="true">
    <bpmn:startEvent id="start" />
    ${task('prepare')}
    <bpmn:userTask id="approve" name="Approve it"><bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements></bpmn:userTask>
    <bpmn:exclusiveGateway id="decided" default="not-approved" />
    ${task('perform')}
    <bpmn:endEvent id="end" />
    <bpmn:sequenceFlow id="to-prepare" sourceRef="start" targetRef="prepare" />
    <bpmn:sequenceFlow id="to-approve" sourceRef="prepare" targetRef="approve" />
    <bpmn:sequenceFlow id="to-decided" sourceRef="approve" targetRef="decided" />
    <bpmn:sequenceFlow id="approved" sourceRef="decided" targetRef="perform">
      <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=approval.decision = "approve"</bpmn:conditionExpression>
    </bpmn:sequenceFlow>
    <bpmn:sequenceFlow id="not-approved" sourceRef="decided" targetRef="end" />
    <bpmn:sequenceFlow id="to-end" sourceRef="perform" targetRef="end" />
  </bpmn:process>
</bpmn:definitions>`;
