import { processModel, serviceTask } from './process-model.js';

export const START = '<bpmn:startEvent id="start" />';
export const END = '<bpmn:endEvent id="end" />';
export const TERMINATE = '<bpmn:terminateEventDefinition />';
export const COMPENSATE = '<bpmn:compensateEventDefinition />';

export function endEvent(id: string, definition = ''): string {
  return `<bpmn:endEvent id="${id}">${definition}</bpmn:endEvent>`;
}

export function startEvent(id: string, definition: string): string {
  return `<bpmn:startEvent id="${id}">${definition}</bpmn:startEvent>`;
}

export function catchEvent(id: string, definition: string): string {
  return `<bpmn:intermediateCatchEvent id="${id}">${definition}</bpmn:intermediateCatchEvent>`;
}

export function throwEvent(id: string, definition: string): string {
  return `<bpmn:intermediateThrowEvent id="${id}">${definition}</bpmn:intermediateThrowEvent>`;
}

export function boundaryEvent(id: string, attachedTo: string, definition: string, interrupting = true): string {
  return `<bpmn:boundaryEvent id="${id}" attachedToRef="${attachedTo}" cancelActivity="${interrupting}">${definition}</bpmn:boundaryEvent>`;
}

export function gateway(kind: 'parallel' | 'eventBased', id: string): string {
  return `<bpmn:${kind}Gateway id="${id}" />`;
}

export function userTask(id: string, properties: Readonly<Record<string, string>> = {}): string {
  const propertiesXml = Object.entries(properties).map(
    ([name, value]) => `<zeebe:property name="${name}" value="${value}" />`,
  );
  const extensions =
    propertiesXml.length === 0
      ? ''
      : `<bpmn:extensionElements><zeebe:properties>${propertiesXml.join('')}</zeebe:properties></bpmn:extensionElements>`;
  return `<bpmn:userTask id="${id}">${extensions}</bpmn:userTask>`;
}

export function callActivity(id: string, workflowId: string): string {
  return `<bpmn:callActivity id="${id}"><bpmn:extensionElements><zeebe:calledElement processId="${workflowId}" /></bpmn:extensionElements></bpmn:callActivity>`;
}

/** Returns a service task with a loop over the variable `items`, whose jobs see `item`; `results` gets their `result`. */
export function loopTask(id: string, jobType: string, isSequential = false): string {
  return serviceTask(id, jobType, 1).replace(
    '</bpmn:serviceTask>',
    `<bpmn:multiInstanceLoopCharacteristics isSequential="${isSequential}"><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" outputCollection="results" outputElement="=result" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:serviceTask>`,
  );
}

/** Returns a service task with a compensation handler, whose job type is `undo`. */
export function compensableTask(id: string, jobType: string): string {
  const handler = serviceTask(`undo-${id}`, 'undo', 1).replace(
    '<bpmn:serviceTask',
    '<bpmn:serviceTask isForCompensation="true"',
  );
  const association = `<bpmn:association id="${id}-by" associationDirection="One" sourceRef="${id}-undone" targetRef="undo-${id}" />`;
  return serviceTask(id, jobType, 1) + boundaryEvent(`${id}-undone`, id, COMPENSATE) + handler + association;
}

/** @param expression a literal, or `=` and a FEEL expression */
export function timer(kind: 'timeDate' | 'timeDuration' | 'timeCycle', expression: string): string {
  return `<bpmn:timerEventDefinition><bpmn:${kind} xsi:type="bpmn:tFormalExpression">${expression}</bpmn:${kind}></bpmn:timerEventDefinition>`;
}

/** Refers to a message whose correlation key is the variable `key`. */
export function message(name: string): string {
  return `<bpmn:messageEventDefinition messageRef="message-${name}" />`;
}

export function signal(name: string): string {
  return `<bpmn:signalEventDefinition signalRef="signal-${name}" />`;
}

export function error(code: string): string {
  return `<bpmn:errorEventDefinition errorRef="error-${code}" />`;
}

/** Returns a BPMN file with one process, and with the messages, signals and errors that it refers to. */
export function workflow(id: string, elements: string, ...flows: readonly string[]): string {
  const collect = (kind: string, render: (name: string) => string): string =>
    [
      ...new Set(
        [...elements.matchAll(new RegExp(`${kind}Ref="${kind}-([\\w.-]+)"`, 'g'))].map(([, name = '']) => name),
      ),
    ]
      .map(render)
      .join('');
  const rootElements =
    collect(
      'message',
      (name) =>
        `<bpmn:message id="message-${name}" name="${name}"><bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements></bpmn:message>`,
    ) +
    collect('signal', (name) => `<bpmn:signal id="signal-${name}" name="${name}" />`) +
    collect('error', (code) => `<bpmn:error id="error-${code}" errorCode="${code}" />`);
  return processModel(id, elements, ...flows).replace('<bpmn:process', `${rootElements}<bpmn:process`);
}

/** Returns a BPMN file whose elements follow each other. */
export function sequence(id: string, ...elements: readonly string[]): string {
  const ids = elements.map((element) => / id="([^"]+)"/.exec(element)?.[1] ?? '');
  return workflow(id, elements.join(''), ...ids.slice(1).map((next, index) => `${ids[index]} > ${next}`));
}
