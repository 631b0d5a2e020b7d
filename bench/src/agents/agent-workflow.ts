/** Returns a workflow with one agent step; the workflow id names the agent. */
export function buildAgentWorkflow(agent: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions-${agent}" targetNamespace="https://countersign.dev/bench">
  <bpmn:process id="${agent}" isExecutable="true">
    <bpmn:startEvent id="start" />
    <bpmn:serviceTask id="work">
      <bpmn:extensionElements>
        <zeebe:taskDefinition type="agent" />
        <zeebe:ioMapping>
          <zeebe:input source="=subject" target="subject" />
          <zeebe:input source="=number" target="number" />
        </zeebe:ioMapping>
        <zeebe:taskHeaders>
          <zeebe:header key="agent" value="${agent}" />
          <zeebe:header key="prompt" value="Do it." />
          <zeebe:header key="resultVariable" value="done" />
        </zeebe:taskHeaders>
      </bpmn:extensionElements>
    </bpmn:serviceTask>
    <bpmn:endEvent id="end" />
    <bpmn:sequenceFlow id="start-work" sourceRef="start" targetRef="work" />
    <bpmn:sequenceFlow id="work-end" sourceRef="work" targetRef="end" />
  </bpmn:process>
</bpmn:definitions>
`;
}
