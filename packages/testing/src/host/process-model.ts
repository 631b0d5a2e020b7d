/**
 * Returns a BPMN file, in the format of Camunda Modeler, with one process that contains the elements. Each flow has the
 * form `source > target`.
 */
export function processModel(id: string, elements: string, ...flows: readonly string[]): string {
  const flowXml = flows.map((flow, index) => {
    const [source = '', target = ''] = flow.split('>').map((part) => part.trim());
    return `<bpmn:sequenceFlow id="flow-${index + 1}" sourceRef="${source}" targetRef="${target}" />`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions-${id}" targetNamespace="urn:countersign:test">
<bpmn:process id="${id}" name="${id}" isExecutable="true">
${elements}
${flowXml.join('\n')}
</bpmn:process>
</bpmn:definitions>`;
}

export function serviceTask(id: string, jobType: string, retries = 3): string {
  return `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${jobType}" retries="${retries}" /></bpmn:extensionElements></bpmn:serviceTask>`;
}

/**
 * Returns a BPMN file with a start event, the service task `work`, the approval `ok` and an end event. `extra` is
 * inserted before these elements, `approvalExtra` into the user task of the approval.
 */
export function approvalModel(id: string, extra = '', approvalExtra = ''): string {
  const elements =
    `${extra}<bpmn:startEvent id="start" />${serviceTask('work', 'work')}` +
    `<bpmn:userTask id="ok" name="Approve it">${approvalExtra}</bpmn:userTask><bpmn:endEvent id="end" />`;
  return processModel(id, elements, 'start > work', 'work > ok', 'ok > end');
}
