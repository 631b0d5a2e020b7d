/** Job type of all service tasks of the cases. */
export const HELD_JOB_TYPE = 'work';

/** Options of an activity. */
export interface ActivityOptions {
  /** Input mappings: source by target. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly loop?: LoopOptions;
  /** Whether the activity is a compensation handler. */
  readonly compensates?: boolean;
  /** Whether a thrown message is sent by a job. */
  readonly job?: boolean;
  /** Number of attempts of a job; 1 by default. */
  readonly retries?: number;
  /** Whether the user task is a native user task of Zeebe instead of a job. */
  readonly native?: boolean;
}

interface LoopOptions {
  /** Expression for the collection, without the leading `=`, like all expressions in these options. */
  readonly over: string;
  readonly as?: string;
  readonly sequential?: boolean;
  readonly collect?: { readonly into: string; readonly each: string };
  readonly until?: string;
}

/** Elements and sequence flows of a scope. A flow is `a > b`, or `a > b : condition`. */
export interface ScopeContent {
  readonly elements: readonly string[];
  readonly flows: readonly string[];
}

export function scope(elements: readonly string[], ...flows: readonly string[]): ScopeContent {
  return { elements, flows };
}

export function start(id = 'start', definition = '', interrupting = true, options: ActivityOptions = {}): string {
  return event('startEvent', id, definition, interrupting ? '' : ' isInterrupting="false"', options);
}

export function end(id = 'end', definition = '', options: ActivityOptions = {}): string {
  return event('endEvent', id, definition, '', options);
}

export function catchEvent(id: string, definition: string, options: ActivityOptions = {}): string {
  return event('intermediateCatchEvent', id, definition, '', options);
}

export function throwEvent(id: string, definition = '', options: ActivityOptions = {}): string {
  return event('intermediateThrowEvent', id, definition, '', options);
}

export function boundaryEvent(
  id: string,
  attachedTo: string,
  definition: string,
  interrupting = true,
  options: ActivityOptions = {},
): string {
  return event(
    'boundaryEvent',
    id,
    definition,
    ` attachedToRef="${attachedTo}"${interrupting ? '' : ' cancelActivity="false"'}`,
    options,
  );
}

export function jobTask(id: string, options: ActivityOptions = {}): string {
  return activity(
    'serviceTask',
    id,
    `<zeebe:taskDefinition type="${HELD_JOB_TYPE}" retries="${options.retries ?? 1}" />`,
    options,
  );
}

export function scriptTask(id: string, result: string, expression: string, options: ActivityOptions = {}): string {
  return activity(
    'scriptTask',
    id,
    `<zeebe:script expression="=${escape(expression)}" resultVariable="${result}" />`,
    options,
  );
}

export function userTask(id: string, options: ActivityOptions = {}): string {
  return activity('userTask', id, '', options);
}

export function receiveTask(id: string, messageName: string, options: ActivityOptions = {}): string {
  return activity('receiveTask', id, '', options, ` messageRef="message-${messageName}"`);
}

/** Returns a task that does nothing: `task` or `manualTask`. */
export function plainTask(id: string, type: 'task' | 'manualTask' = 'task', options: ActivityOptions = {}): string {
  return activity(type, id, '', options);
}

export function gateway(
  type: 'exclusive' | 'parallel' | 'inclusive' | 'eventBased',
  id: string,
  defaultTarget?: string,
): string {
  return `<bpmn:${type}Gateway id="${id}"${defaultTarget === undefined ? '' : ` default="${id}-${defaultTarget}"`} />`;
}

export function subProcess(id: string, content: ScopeContent, options: ActivityOptions = {}): string {
  return activity('subProcess', id, '', options, '', renderScope(content));
}

export function eventSubProcess(id: string, content: ScopeContent): string {
  return activity('subProcess', id, '', {}, ' triggeredByEvent="true"', renderScope(content));
}

export function callActivity(
  id: string,
  processId: string,
  options: ActivityOptions & { readonly propagate?: string } = {},
): string {
  return activity(
    'callActivity',
    id,
    `<zeebe:calledElement processId="${processId}" ${options.propagate ?? ''} />`,
    options,
  );
}

/** Returns the association between a compensation boundary event and its handler. */
export function compensationAssociation(boundaryId: string, handlerId: string): string {
  return `<bpmn:association id="${boundaryId}-${handlerId}" associationDirection="One" sourceRef="${boundaryId}" targetRef="${handlerId}" />`;
}

export const duration = (expression: string): string => timer('timeDuration', expression);
export const date = (expression: string): string => timer('timeDate', expression);
export const cycle = (expression: string): string => timer('timeCycle', expression);
export const message = (name: string): string => `<bpmn:messageEventDefinition messageRef="message-${name}" />`;
export const signal = (name: string): string => `<bpmn:signalEventDefinition signalRef="signal-${name}" />`;
export const error = (code?: string): string =>
  `<bpmn:errorEventDefinition${code === undefined ? '' : ` errorRef="error-${code}"`} />`;
export const escalation = (code?: string): string =>
  `<bpmn:escalationEventDefinition${code === undefined ? '' : ` escalationRef="escalation-${code}"`} />`;
export const compensation = (activityRef?: string): string =>
  `<bpmn:compensateEventDefinition${activityRef === undefined ? '' : ` activityRef="${activityRef}"`} />`;
export const link = (name: string): string => `<bpmn:linkEventDefinition name="${name}" />`;
export const terminate = '<bpmn:terminateEventDefinition />';

/**
 * Returns a BPMN file with the processes, and with the messages, signals, errors and escalations that they reference.
 *
 * @param messageKey expression for the correlation key of the messages
 */
export function buildBpmnFile(processes: Readonly<Record<string, ScopeContent>>, messageKey = 'key'): string {
  const body = Object.entries(processes)
    .map(([id, content]) => `<bpmn:process id="${id}" isExecutable="true">\n${renderScope(content)}\n</bpmn:process>`)
    .join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:differential">
${buildRootElements(body, messageKey)}
${body}
</bpmn:definitions>`;
}

function buildRootElements(body: string, messageKey: string): string {
  const collectNames = (kind: string): string[] => [
    ...new Set([...body.matchAll(new RegExp(`${kind}Ref="${kind}-([^"]+)"`, 'g'))].map(([, name = '']) => name)),
  ];
  const subscription = `<bpmn:extensionElements><zeebe:subscription correlationKey="=${escape(messageKey)}" /></bpmn:extensionElements>`;
  return [
    ...collectNames('message').map(
      (name) => `<bpmn:message id="message-${name}" name="${name}">${subscription}</bpmn:message>`,
    ),
    ...collectNames('signal').map((name) => `<bpmn:signal id="signal-${name}" name="${name}" />`),
    ...collectNames('error').map((code) => `<bpmn:error id="error-${code}" errorCode="${code}" />`),
    ...collectNames('escalation').map((code) => `<bpmn:escalation id="escalation-${code}" escalationCode="${code}" />`),
  ].join('\n');
}

/**
 * Renders the elements with references to their flows, as Camunda Modeler does, because Zeebe 8.6 finds some flows only
 * through these references.
 */
function renderScope({ elements, flows }: ScopeContent): string {
  const parsedFlows = flows.map((flow) => parseFlow(flow));
  const elementsWithReferences = elements.map((element) => {
    const id = /\bid="([^"]+)"/.exec(element)?.[1];
    const incoming = parsedFlows
      .filter(({ target }) => target === id)
      .map(({ source, target }) => `<bpmn:incoming>${source}-${target}</bpmn:incoming>`);
    const outgoing = parsedFlows
      .filter(({ source }) => source === id)
      .map(({ source, target }) => `<bpmn:outgoing>${source}-${target}</bpmn:outgoing>`);
    return withReferences(element, [...incoming, ...outgoing].join(''));
  });
  const isArtifact = (element: string): boolean => element.startsWith('<bpmn:association');
  return [
    ...elementsWithReferences.filter((each) => !isArtifact(each)),
    ...flows.map(renderFlow),
    ...elementsWithReferences.filter(isArtifact),
  ].join('\n');
}

/** Inserts the references to flows after the extension elements and before all other content. */
function withReferences(element: string, references: string): string {
  if (references === '') return element;
  const openingPart = /^<[^>]*>(?:<bpmn:extensionElements>.*?<\/bpmn:extensionElements>)?/.exec(element)?.[0] ?? '';
  if (!openingPart.endsWith('/>')) return openingPart + references + element.slice(openingPart.length);
  const name = /^<([\w:]+)/.exec(openingPart)?.[1] ?? '';
  return `${openingPart.slice(0, -2).trimEnd()}>${references}</${name}>`;
}

function parseFlow(flow: string): { source: string; target: string; condition: string | undefined } {
  const [, source = '', target = '', condition] = /^(\S+) > (\S+)(?: : (.+))?$/.exec(flow) ?? [];
  return { source, target, condition };
}

function renderFlow(flow: string): string {
  const { source, target, condition } = parseFlow(flow);
  const guard =
    condition === undefined
      ? ''
      : `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=${escape(condition)}</bpmn:conditionExpression>`;
  return `<bpmn:sequenceFlow id="${source}-${target}" sourceRef="${source}" targetRef="${target}">${guard}</bpmn:sequenceFlow>`;
}

function event(type: string, id: string, definition: string, attributes = '', options: ActivityOptions = {}): string {
  return `<bpmn:${type} id="${id}"${attributes}>${renderExtensions('', options)}${definition.replace(' ', ` id="${id}-definition" `).replace(/^(<[\w:]+)(\/?>)/, `$1 id="${id}-definition"$2`)}</bpmn:${type}>`;
}

function activity(
  type: string,
  id: string,
  extension: string,
  options: ActivityOptions,
  attributes = '',
  content = '',
): string {
  const handler = options.compensates === true ? ' isForCompensation="true"' : '';
  return `<bpmn:${type} id="${id}"${attributes}${handler}>${renderExtensions(extension, options)}${renderLoop(options.loop)}${content}</bpmn:${type}>`;
}

function renderExtensions(
  extensionContent: string,
  { inputs = {}, outputs = {}, job = false, native = false }: ActivityOptions,
): string {
  const extension =
    extensionContent +
    (job ? `<zeebe:taskDefinition type="${HELD_JOB_TYPE}" retries="1" />` : '') +
    (native ? '<zeebe:userTask />' : '');
  const renderMappings = (kind: string, all: Readonly<Record<string, string>>): string =>
    Object.entries(all)
      .map(([target, source]) => `<zeebe:${kind} source="=${escape(source)}" target="${target}" />`)
      .join('');
  const mappings = renderMappings('input', inputs) + renderMappings('output', outputs);
  const all = extension + (mappings === '' ? '' : `<zeebe:ioMapping>${mappings}</zeebe:ioMapping>`);
  return all === '' ? '' : `<bpmn:extensionElements>${all}</bpmn:extensionElements>`;
}

function renderLoop(loop: LoopOptions | undefined): string {
  if (loop === undefined) return '';
  const { over, as, sequential, collect, until } = loop;
  const collected =
    collect === undefined ? '' : ` outputCollection="${collect.into}" outputElement="=${escape(collect.each)}"`;
  const element = as === undefined ? '' : ` inputElement="${as}"`;
  const condition =
    until === undefined
      ? ''
      : `<bpmn:completionCondition xsi:type="bpmn:tFormalExpression">=${escape(until)}</bpmn:completionCondition>`;
  return (
    `<bpmn:multiInstanceLoopCharacteristics${sequential === true ? ' isSequential="true"' : ''}><bpmn:extensionElements>` +
    `<zeebe:loopCharacteristics inputCollection="=${escape(over)}"${element}${collected} /></bpmn:extensionElements>${condition}</bpmn:multiInstanceLoopCharacteristics>`
  );
}

function timer(kind: string, expression: string): string {
  return `<bpmn:timerEventDefinition ><bpmn:${kind} xsi:type="bpmn:tFormalExpression">${escape(expression)}</bpmn:${kind}></bpmn:timerEventDefinition>`;
}

/** Escapes text for XML, including `>`, because `mapElementsToScopes` searches for the end of tags. */
function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
