import { businessRuleTask, decisionModel, serviceTask } from '@countersign/testing';

/**
 * Workflows of one file whose runs interact. `talk` calls `sell`, whose job throws an error, and uses its result. It
 * then sends a message to `order`, which the message starts and which replies. `talk` receives a signal from outside
 * and throws another signal, for which `order` waits and which starts `inform`; `inform` evaluates a DMN decision.
 * `undo` books and then calls `hold` until it is cancelled. A timer starts `daily`; a timer also fires for `stillborn`,
 * which cannot start, because its run has no correlation key. An event from outside starts `heed`, and another event
 * ends it. A condition starts `restock` and `recount`.
 */
export const MESSAGING_WORKFLOWS = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:test">
<bpmn:message id="order-message" name="order" />
${keyedMessage('reply')}${keyedMessage('release')}${keyedMessage('call')}${keyedMessage('answered')}
<bpmn:signal id="news" name="news" /><bpmn:signal id="done" name="done" />
<bpmn:error id="sold-out" errorCode="sold_out" />
${process(
  'talk',
  `<bpmn:startEvent id="talk-start" />
  <bpmn:callActivity id="ask"><bpmn:extensionElements>
    <zeebe:calledElement processId="sell" propagateAllParentVariables="false" propagateAllChildVariables="false" />
    <zeebe:ioMapping><zeebe:input source="=amount" target="wanted" /><zeebe:output source="=wanted - left" target="sold" /></zeebe:ioMapping>
  </bpmn:extensionElements></bpmn:callActivity>
  ${event('intermediateThrowEvent', 'tell', message('order-message'), mapping('key', 'key'))}
  ${event('intermediateCatchEvent', 'answer', message('reply'))}
  ${event('intermediateCatchEvent', 'listen', signal('news'))}
  ${event('intermediateThrowEvent', 'announce', signal('done'))}
  <bpmn:endEvent id="talk-end" />`,
  'talk-start > ask > tell > answer > listen > announce > talk-end',
)}
${process(
  'sell',
  `<bpmn:startEvent id="sell-start" />${serviceTask('offer', 'sell')}
  <bpmn:boundaryEvent id="none-left" attachedToRef="offer"><bpmn:extensionElements><zeebe:ioMapping><zeebe:output source="=left" target="left" /></zeebe:ioMapping></bpmn:extensionElements><bpmn:errorEventDefinition errorRef="sold-out" /></bpmn:boundaryEvent>
  <bpmn:endEvent id="sold" /><bpmn:endEvent id="unsold" />`,
  'sell-start > offer > sold',
  'none-left > unsold',
)}
${process(
  'order',
  `${event('startEvent', 'ordered', message('order-message'))}${event('intermediateThrowEvent', 'confirm', message('reply'))}
  ${event('intermediateCatchEvent', 'hear', signal('done'))}<bpmn:endEvent id="order-end" />`,
  'ordered > confirm > hear > order-end',
)}
${process('inform', `${event('startEvent', 'informed', signal('done'))}${businessRuleTask('weigh', 'weight')}<bpmn:endEvent id="inform-end" />`, 'informed > weigh > inform-end')}
${process(
  'undo',
  `<bpmn:startEvent id="undo-start" />${serviceTask('book', 'publish')}
  <bpmn:boundaryEvent id="not-wanted" attachedToRef="book"><bpmn:compensateEventDefinition /></bpmn:boundaryEvent>
  ${serviceTask('unbook', 'publish').replace('<bpmn:serviceTask', '<bpmn:serviceTask isForCompensation="true"')}
  <bpmn:callActivity id="wait"><bpmn:extensionElements><zeebe:calledElement processId="hold" /></bpmn:extensionElements></bpmn:callActivity>
  <bpmn:endEvent id="undo-end" />
  <bpmn:association id="undone-by" sourceRef="not-wanted" targetRef="unbook" associationDirection="One" />`,
  'undo-start > book > wait > undo-end',
)}
${process('hold', `<bpmn:startEvent id="hold-start" />${event('intermediateCatchEvent', 'held', message('release'))}<bpmn:endEvent id="hold-end" />`, 'hold-start > held > hold-end')}
${process('heed', `${event('startEvent', 'called', message('call'))}${event('intermediateCatchEvent', 'heeded', message('answered'))}<bpmn:endEvent id="heed-end" />`, 'called > heeded > heed-end')}
${process('daily', `${event('startEvent', 'morning', shortTimer())}<bpmn:endEvent id="daily-end" />`, 'morning > daily-end')}
${process(
  'stillborn',
  `${event('startEvent', 'evening', shortTimer())}<bpmn:endEvent id="stillborn-end" />
  <bpmn:subProcess id="aside" triggeredByEvent="true">${event('startEvent', 'aside-start', message('release'))}<bpmn:endEvent id="aside-end" />
    <bpmn:sequenceFlow id="aside-flow" sourceRef="aside-start" targetRef="aside-end" /></bpmn:subProcess>`,
  'evening > stillborn-end',
)}
${['restock', 'recount'].map((id) => process(id, `${event('startEvent', `${id}-low`, '<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">=stock &lt; 3</bpmn:condition></bpmn:conditionalEventDefinition>')}<bpmn:endEvent id="${id}-end" />`, `${id}-low > ${id}-end`)).join('')}
</bpmn:definitions>`;

/** DMN decisions that `inform` evaluates. */
export const MESSAGING_DECISIONS = decisionModel({ id: 'weight', inputs: ['1'], rules: ['1 => 2'] });

function process(id: string, elements: string, ...paths: readonly string[]): string {
  const flows = paths.flatMap((path) => {
    const nodes = path.split('>').map((each) => each.trim());
    return nodes
      .slice(1)
      .map(
        (target, index) =>
          `<bpmn:sequenceFlow id="${nodes[index] ?? ''}-to-${target}" sourceRef="${nodes[index] ?? ''}" targetRef="${target}" />`,
      );
  });
  return `<bpmn:process id="${id}" isExecutable="true">${elements}${flows.join('')}</bpmn:process>`;
}

function event(type: string, id: string, definition: string, extensions = ''): string {
  return `<bpmn:${type} id="${id}">${extensions}${definition}</bpmn:${type}>`;
}

function mapping(source: string, target: string): string {
  return `<bpmn:extensionElements><zeebe:ioMapping><zeebe:input source="=${source}" target="${target}" /></zeebe:ioMapping></bpmn:extensionElements>`;
}

function shortTimer(): string {
  return '<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT0.05S</bpmn:timeDuration></bpmn:timerEventDefinition>';
}

function message(ref: string): string {
  return `<bpmn:messageEventDefinition messageRef="${ref}" />`;
}

function signal(ref: string): string {
  return `<bpmn:signalEventDefinition signalRef="${ref}" />`;
}

function keyedMessage(name: string): string {
  return `<bpmn:message id="${name}" name="${name}"><bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements></bpmn:message>`;
}
