const element = (name: string, id: string, content = ''): string =>
  content === '' ? `<bpmn:${name} id="${id}"/>` : `<bpmn:${name} id="${id}">${content}</bpmn:${name}>`;

const flow = (id: string, source: string, target: string): string =>
  `<bpmn:sequenceFlow id="${id}" sourceRef="${source}" targetRef="${target}"/>`;

/** Returns a chain of elements with a start and an end. */
function chain(prefix: string, elements: readonly { readonly id: string; readonly xml: string }[]): string {
  const ids = [`${prefix}start`, ...elements.map(({ id }) => id), `${prefix}end`];
  const flows = ids.slice(1).map((id, index) => flow(`${prefix}f${index}`, ids[index] ?? '', id));
  return [
    element('startEvent', `${prefix}start`),
    ...elements.map(({ xml }) => xml),
    element('endEvent', `${prefix}end`),
    ...flows,
  ].join('');
}

function model(id: string, content: string, rootElements = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:bench">
<bpmn:process id="${id}" isExecutable="true">${content}</bpmn:process>${rootElements}
</bpmn:definitions>`;
}

const MULTI_INSTANCE_LOOP = `<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>`;

type TaskKind = 'serviceTask' | 'userTask';

function parallelTask(kind: TaskKind, jobType: string): { readonly id: string; readonly xml: string } {
  // Without a mapping, the subject of each approval would contain all variables, including the whole list of items.
  const mapping = '<zeebe:ioMapping><zeebe:input source="=item" target="approve" /></zeebe:ioMapping>';
  const extensions = `<bpmn:extensionElements>${kind === 'serviceTask' ? `<zeebe:taskDefinition type="${jobType}" />` : mapping}</bpmn:extensionElements>`;
  return { id: 'each', xml: element(kind, 'each', extensions + MULTI_INSTANCE_LOOP) };
}

/**
 * Returns a BPMN model with one task for each of `items`, all parallel.
 *
 * @param jobType job type of a service task, or an expression for it
 */
export function buildParallelModel(id: string, kind: TaskKind, jobType = 'no-handler'): string {
  return model(id, chain('', [parallelTask(kind, jobType)]));
}

const MESSAGE_ELEMENT = `<bpmn:message id="stop" name="stop"><bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements></bpmn:message>`;
const MESSAGE_EVENT_DEFINITION = '<bpmn:messageEventDefinition messageRef="stop" />';

/** Returns a BPMN model with a user task for each of `items` in a sub-process, which the message `stop` interrupts. */
export function buildInterruptedModel(id: string): string {
  const scope = { id: 'scope', xml: element('subProcess', 'scope', chain('inner', [parallelTask('userTask', '')])) };
  const boundary = `<bpmn:boundaryEvent id="stopped" attachedToRef="scope">${MESSAGE_EVENT_DEFINITION}</bpmn:boundaryEvent>`;
  const interruptedEnd = element('endEvent', 'interrupted') + flow('toInterrupted', 'stopped', 'interrupted');
  return model(id, chain('', [scope]) + boundary + interruptedEnd, MESSAGE_ELEMENT);
}

/**
 * Returns a BPMN model with a user task for each of `items` and, in parallel, a terminate end event after the message
 * `stop`.
 */
export function buildTerminatedModel(id: string): string {
  const terminatePath = [
    element('intermediateCatchEvent', 'stopped', MESSAGE_EVENT_DEFINITION),
    element('endEvent', 'terminated', '<bpmn:terminateEventDefinition />'),
    flow('toStopped', 'fork', 'stopped'),
    flow('toTerminated', 'stopped', 'terminated'),
  ].join('');
  const forkGateway = { id: 'fork', xml: element('parallelGateway', 'fork') };
  return model(id, chain('', [forkGateway, parallelTask('userTask', '')]) + terminatePath, MESSAGE_ELEMENT);
}

/** Returns a BPMN model of sequential tasks, in sub-processes because a process may have at most 10,000 children. */
export function buildLongModel(id: string, taskCount: number): string {
  const perScope = 4_500;
  const scopes = Array.from({ length: Math.ceil(taskCount / perScope) }, (_, scope) => {
    const count = Math.min(perScope, taskCount - scope * perScope);
    const inner = Array.from({ length: count }, (__, index) => ({
      id: `t${scope}x${index}`,
      xml: element('task', `t${scope}x${index}`),
    }));
    return { id: `s${scope}`, xml: element('subProcess', `s${scope}`, chain(`i${scope}`, inner)) };
  });
  return model(id, chain('', scopes));
}

/** Returns a DMN decision table with a number of rules. */
export function buildLargeTable(id: string, ruleCount: number): string {
  const rule = (index: number): string =>
    `<rule id="r${index}"><inputEntry id="a${index}"><text>[${index}..${index + 1})</text></inputEntry><inputEntry id="b${index}"><text>"customer ${index}"</text></inputEntry><outputEntry id="o${index}"><text>${index} * amount</text></outputEntry></rule>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="of-${id}" name="Large" namespace="urn:countersign:bench">
<decision id="${id}" name="Large"><decisionTable id="table" hitPolicy="FIRST">
<input id="first"><inputExpression id="of-first"><text>amount</text></inputExpression></input>
<input id="second"><inputExpression id="of-second"><text>customer</text></inputExpression></input>
<output id="out" name="out"/>${Array.from({ length: ruleCount }, (_, index) => rule(index)).join('')}
</decisionTable></decision></definitions>`;
}
