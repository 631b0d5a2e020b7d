/**
 * Workflow whose runs need every kind of commit: a job, an approval with two votes, a gateway, an effect, a timer, a
 * message, an incident.
 */
export const RECOVERY_WORKFLOW = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:test">
<bpmn:message id="signal" name="signal"><bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements></bpmn:message>
<bpmn:process id="recovery" isExecutable="true">
  <bpmn:startEvent id="start" />
  <bpmn:exclusiveGateway id="serious" default="idle" />
  <bpmn:userTask id="idle-review" name="Nothing to do" />
  <bpmn:serviceTask id="prepare"><bpmn:extensionElements><zeebe:taskDefinition type="prepare" retries="3" /></bpmn:extensionElements></bpmn:serviceTask>
  <bpmn:userTask id="review" name="Review"><bpmn:extensionElements>
    <zeebe:assignmentDefinition candidateUsers="ada, dan" />
    <zeebe:properties><zeebe:property name="approval.quorum" value="2" /></zeebe:properties>
  </bpmn:extensionElements></bpmn:userTask>
  <bpmn:exclusiveGateway id="worth" default="no" />
  <bpmn:serviceTask id="publish"><bpmn:extensionElements><zeebe:taskDefinition type="publish" /></bpmn:extensionElements></bpmn:serviceTask>
  <bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">=duration("PT0.05S")</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>
  <bpmn:intermediateCatchEvent id="wait"><bpmn:messageEventDefinition messageRef="signal" /></bpmn:intermediateCatchEvent>
  <bpmn:serviceTask id="finish"><bpmn:extensionElements><zeebe:taskDefinition type="finish" /></bpmn:extensionElements></bpmn:serviceTask>
  <bpmn:endEvent id="end" />
  <bpmn:endEvent id="worthless" />
  <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="serious" />
  <bpmn:sequenceFlow id="work" sourceRef="serious" targetRef="prepare"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=amount &gt; 0</bpmn:conditionExpression></bpmn:sequenceFlow>
  <bpmn:sequenceFlow id="idle" sourceRef="serious" targetRef="idle-review" />
  <bpmn:sequenceFlow id="f0" sourceRef="idle-review" targetRef="worthless" />
  <bpmn:sequenceFlow id="f2" sourceRef="prepare" targetRef="review" />
  <bpmn:sequenceFlow id="f3" sourceRef="review" targetRef="worth" />
  <bpmn:sequenceFlow id="yes" sourceRef="worth" targetRef="publish"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=amount &gt; 1</bpmn:conditionExpression></bpmn:sequenceFlow>
  <bpmn:sequenceFlow id="no" sourceRef="worth" targetRef="worthless" />
  <bpmn:sequenceFlow id="f4" sourceRef="publish" targetRef="pause" />
  <bpmn:sequenceFlow id="f5" sourceRef="pause" targetRef="wait" />
  <bpmn:sequenceFlow id="f6" sourceRef="wait" targetRef="finish" />
  <bpmn:sequenceFlow id="f7" sourceRef="finish" targetRef="end" />
</bpmn:process>
</bpmn:definitions>`;
