export const WORKFLOW_ID = 'approval';
export const JOB_TYPE = 'work';

/** Engine-specific parts of the notation. */
export interface Dialect {
  readonly serviceTask: (id: string) => string;
  /** Content of the user task. */
  readonly userTask: string;
  /** Condition of the flow to the second service task, which is true if the approval was approved. */
  readonly approvedCondition: string;
}

const COUNTERSIGN_DIALECT: Dialect = {
  serviceTask: (id) =>
    `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${JOB_TYPE}" /></bpmn:extensionElements></bpmn:serviceTask>`,
  userTask: '<bpmn:extensionElements><zeebe:userTask /></bpmn:extensionElements>',
  approvedCondition: '=approval.decision = "approve"',
};

/** Returns a workflow of start, service task, approval, gateway, service task and end. */
export function buildApprovalWorkflow({ serviceTask, userTask, approvedCondition }: Dialect): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:bench">
  <bpmn:process id="${WORKFLOW_ID}" name="Approval" isExecutable="true">
    <bpmn:startEvent id="start" />
    ${serviceTask('prepare')}
    <bpmn:userTask id="approve" name="Approve it">${userTask}</bpmn:userTask>
    <bpmn:exclusiveGateway id="decided" default="not-approved" />
    ${serviceTask('perform')}
    <bpmn:endEvent id="end" />
    <bpmn:sequenceFlow id="to-prepare" sourceRef="start" targetRef="prepare" />
    <bpmn:sequenceFlow id="to-approve" sourceRef="prepare" targetRef="approve" />
    <bpmn:sequenceFlow id="to-decided" sourceRef="approve" targetRef="decided" />
    <bpmn:sequenceFlow id="approved" sourceRef="decided" targetRef="perform">
      <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${approvedCondition}</bpmn:conditionExpression>
    </bpmn:sequenceFlow>
    <bpmn:sequenceFlow id="not-approved" sourceRef="decided" targetRef="end" />
    <bpmn:sequenceFlow id="to-end" sourceRef="perform" targetRef="end" />
  </bpmn:process>
</bpmn:definitions>`;
}

export const APPROVAL_WORKFLOW = buildApprovalWorkflow(COUNTERSIGN_DIALECT);
