import { businessRuleTask, decisionModel, processModel } from '@countersign/testing';

/*
 * Workflows with the variable `value`, each of which uses it in a different position: expressions, names, times, lists,
 * people. An approval follows, so that the run stays open and the value becomes part of its subject.
 */

/** Id of the workflow whose job type is the value. No worker serves this job type, so its runs stay open. */
export const UNSERVED_WORKFLOW_ID = 'place-job-type';
/** Id of the workflow whose timer fires repeatedly while the run is active. */
export const REPEATING_WORKFLOW_ID = 'place-timer-cycle';

const EXPRESSIONS: readonly string[] = [
  'value',
  '[value, value]',
  '{a: value, b: {c: value}}',
  'string(value)',
  'number(string(value))',
  'substring(value, 1, 20)',
  'substring(value, -1)',
  'substring before(value, "x")',
  'string length(value)',
  'upper case(value)',
  'lower case(value)',
  'trim(value)',
  'split(value, "")',
  'replace(value, ".", "$0$0")',
  'replace(value, "", "-")',
  'matches(value, "^(a+)+$")',
  'extract(value, "..")',
  'string join([value, value], value)',
  'contains(value, substring(value, 2, 1))',
  'value + value',
  'value - 0.1',
  'value * value',
  'value / 3',
  'value ** 2',
  'value ** value',
  '-value',
  'floor(value)',
  'round half up(value, 3)',
  'modulo(value, 7)',
  'abs(value)',
  'sqrt(value)',
  'exp(value)',
  'log(value)',
  'even(value)',
  'sum(value)',
  'mean(value)',
  'stddev(value)',
  'mode(value)',
  'max(value)',
  'sort(value, function(a, b) a < b)',
  'distinct values(value)',
  'flatten([value, [value]])',
  'duplicate values(value)',
  'concatenate(value, value)',
  'count(value)',
  'reverse(value)',
  'index of(value, value[1])',
  'value[1]',
  'value[-1]',
  'value[item = value]',
  'value.a.b',
  'for each in value return each',
  'for each in 1..value return each',
  'some each in value satisfies each = value',
  'if value then 1 else 2',
  'value = null',
  'value in [1..5]',
  'value between "a" and "b"',
  'value instance of number',
  'get entries(value)',
  'get value(value, "a")',
  'context put({}, string(value), value)',
  'context merge([value, {a: 1}])',
  'date(value)',
  'time(value)',
  'date and time(value)',
  'duration(value)',
  'date and time(value) + duration("P1Y")',
  'date and time(value) - date and time("2026-11-27T00:00:00Z")',
  'date and time("2026-11-27T00:00:00Z") + duration(value)',
  'duration(value) * 1000',
  'years and months duration(date(value), date("2026-11-27"))',
  'day of week(date(value))',
  'week of year(date(value))',
  'last day of month(date(value))',
  'string(date and time(value))',
  'date(value, value, value)',
  'is defined(value)',
  'get or else(value, 0)',
  'assert(value, value != null)',
];

const START = '<bpmn:startEvent id="start" />';
const APPROVAL_TASK =
  '<bpmn:userTask id="ok" name="Look at it"><bpmn:documentation>As it is.</bpmn:documentation></bpmn:userTask>';
const END = '<bpmn:endEvent id="end" />';
/** Builds a process that uses the value in the element `step` and then requests an approval. */
const sequenceModel = (id: string, step: string, roots = ''): string =>
  processModel(id, START + step + APPROVAL_TASK + END, 'start > step', 'step > ok', 'ok > end').replace(
    '<bpmn:process ',
    `${roots}<bpmn:process `,
  );
const step = (type: string, extensions: string, content = ''): string =>
  `<bpmn:${type} id="step"><bpmn:extensionElements>${extensions}</bpmn:extensionElements>${content}</bpmn:${type}>`;
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const timer = (kind: string): string =>
  `<bpmn:timerEventDefinition><bpmn:${kind} xsi:type="bpmn:tFormalExpression">=value</bpmn:${kind}></bpmn:timerEventDefinition>`;
const catchEvent = (definition: string): string => step('intermediateCatchEvent', '', definition);
const throwEvent = (definition: string): string => step('intermediateThrowEvent', '', definition);
const assignedTask = (attributes: string): string => step('userTask', `<zeebe:assignmentDefinition ${attributes} />`);

const DECISION_ID = 'place-decision';

/** DMN decision that the workflows evaluate. */
export const DECISION_MODEL = decisionModel({
  id: DECISION_ID,
  hitPolicy: 'COLLECT',
  inputs: ['value'],
  rules: ['not(is defined(?)) => 0', '> 100 => value', '"a", null => [value]', '- => string length(value)'],
});

/** BPMN files by workflow id. */
export const WORKFLOWS_BY_ID: ReadonlyMap<string, string> = new Map([
  ...EXPRESSIONS.map((expression, index): [string, string] => {
    const id = `place-expression-${index + 1}`;
    return [
      id,
      sequenceModel(
        id,
        step('scriptTask', `<zeebe:script expression="=${escapeXml(expression)}" resultVariable="result" />`),
      ),
    ];
  }),
  ...[
    sequenceModel('place-timer-date', catchEvent(timer('timeDate'))),
    sequenceModel('place-timer-duration', catchEvent(timer('timeDuration'))),
    sequenceModel(
      REPEATING_WORKFLOW_ID,
      `<bpmn:userTask id="step" /><bpmn:boundaryEvent id="again" cancelActivity="false" attachedToRef="step">${timer('timeCycle')}</bpmn:boundaryEvent><bpmn:endEvent id="fired" /><bpmn:sequenceFlow id="then" sourceRef="again" targetRef="fired" />`,
    ),
    sequenceModel(UNSERVED_WORKFLOW_ID, step('serviceTask', '<zeebe:taskDefinition type="=value" retries="=value" />')),
    sequenceModel(
      'place-message',
      catchEvent('<bpmn:messageEventDefinition messageRef="m" />'),
      '<bpmn:message id="m" name="=value"><bpmn:extensionElements><zeebe:subscription correlationKey="=value" /></bpmn:extensionElements></bpmn:message>',
    ),
    sequenceModel(
      'place-signal',
      catchEvent('<bpmn:signalEventDefinition signalRef="s" />'),
      '<bpmn:signal id="s" name="=value" />',
    ),
    sequenceModel(
      'place-thrown-signal',
      throwEvent('<bpmn:signalEventDefinition signalRef="s" />'),
      '<bpmn:signal id="s" name="=value" />',
    ),
    sequenceModel(
      'place-escalation',
      throwEvent('<bpmn:escalationEventDefinition escalationRef="e" />'),
      '<bpmn:escalation id="e" escalationCode="=value" />',
    ),
    sequenceModel(
      'place-condition',
      catchEvent(
        '<bpmn:conditionalEventDefinition><bpmn:condition>=value > 1</bpmn:condition></bpmn:conditionalEventDefinition>',
      ),
    ),
    sequenceModel('place-assignee', assignedTask('assignee="=value"')),
    sequenceModel('place-users', assignedTask('candidateUsers="=value"')),
    sequenceModel('place-groups', assignedTask('candidateGroups="=[value]"')),
    sequenceModel('place-due', step('userTask', '<zeebe:taskSchedule dueDate="=value" followUpDate="=value" />')),
    sequenceModel('place-priority', step('userTask', '<zeebe:priorityDefinition priority="=value" />')),
    sequenceModel('place-called', step('callActivity', '<zeebe:calledElement processId="=value" />')),
    // The child run receives the value as an input and returns it.
    sequenceModel(
      'place-calling',
      step(
        'callActivity',
        '<zeebe:calledElement processId="place-given" propagateAllChildVariables="false" /><zeebe:ioMapping><zeebe:input source="=[value]" target="given" /><zeebe:output source="=given" target="back" /></zeebe:ioMapping>',
      ),
    ),
    processModel(
      'place-given',
      `${START}<bpmn:scriptTask id="step"><bpmn:extensionElements><zeebe:script expression="=substring(given[1], 1, 20)" resultVariable="result" /></bpmn:extensionElements></bpmn:scriptTask>${END}`,
      'start > step',
      'step > end',
    ),
    sequenceModel(
      'place-thrown-message',
      step(
        'intermediateThrowEvent',
        '<zeebe:ioMapping><zeebe:input source="=value" target="brought" /></zeebe:ioMapping>',
        '<bpmn:messageEventDefinition messageRef="m" />',
      ),
      '<bpmn:message id="m" name="=string(value)"><bpmn:extensionElements><zeebe:subscription correlationKey="=value" /></bpmn:extensionElements></bpmn:message>',
    ),
    sequenceModel(
      'place-error',
      step(
        'subProcess',
        '',
        '<bpmn:startEvent id="begin" /><bpmn:endEvent id="thrown"><bpmn:errorEventDefinition errorRef="e" /></bpmn:endEvent><bpmn:sequenceFlow id="into" sourceRef="begin" targetRef="thrown" />',
      ) +
        '<bpmn:boundaryEvent id="caught" attachedToRef="step"><bpmn:errorEventDefinition /></bpmn:boundaryEvent><bpmn:sequenceFlow id="on" sourceRef="caught" targetRef="ok" />',
      '<bpmn:error id="e" errorCode="=value" />',
    ),
    sequenceModel('place-called-decision', businessRuleTask('step', '=value')),
    sequenceModel(DECISION_ID, businessRuleTask('step', DECISION_ID)),
    sequenceModel(
      'place-mapping',
      step(
        'userTask',
        '<zeebe:ioMapping><zeebe:input source="=value" target="a.b" /><zeebe:input source="=value" target="subject" /><zeebe:output source="=approval.comment" target="c" /></zeebe:ioMapping>',
      ),
    ),
    sequenceModel(
      'place-list',
      `<bpmn:userTask id="step"><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=value" inputElement="each" outputCollection="results" outputElement="=each" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:userTask>`,
    ),
    sequenceModel(
      'place-sequential-list',
      `<bpmn:scriptTask id="step"><bpmn:extensionElements><zeebe:script expression="=each" resultVariable="result" /></bpmn:extensionElements><bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=value" inputElement="each" outputCollection="results" outputElement="=result" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:scriptTask>`,
    ),
  ].map((model): [string, string] => [/<bpmn:process id="([^"]+)"/.exec(model)?.[1] ?? '', model]),
]);

const ODD_TASK = step('serviceTask', '<zeebe:taskDefinition type="odd-work" retries="=retries" />');

/** Workflow with a job for the handler of the tests. The input `work` selects the result of the job. */
export const JOB_MODEL = sequenceModel('works', ODD_TASK);
/** Workflow that calls a service whose response is odd. */
export const CONNECTOR_MODEL = sequenceModel(
  'calls',
  step(
    'serviceTask',
    `<zeebe:taskDefinition type="http" retries="=1" /><zeebe:ioMapping><zeebe:input source="=url" target="url" /></zeebe:ioMapping><zeebe:taskHeaders><zeebe:header key="resultVariable" value="result" /></zeebe:taskHeaders>`,
  ),
);
/**
 * Workflow that waits for a message with the key `key`, whose payload passes through an expression into an approval.
 */
export const MESSAGE_MODEL = sequenceModel(
  'listens',
  catchEvent('<bpmn:messageEventDefinition messageRef="m" />'),
  '<bpmn:message id="m" name="odd"><bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements></bpmn:message>',
);
/** Workflow that requests an approval and evaluates an expression on its comment. */
export const APPROVAL_MODEL = sequenceModel(
  'asks',
  '<bpmn:userTask id="ask" /><bpmn:sequenceFlow id="asked" sourceRef="start" targetRef="ask" /><bpmn:sequenceFlow id="told" sourceRef="ask" targetRef="step" />' +
    step('scriptTask', '<zeebe:script expression="=substring(approval.comment, 1, 20)" resultVariable="result" />'),
).replace('<bpmn:sequenceFlow id="flow-1" sourceRef="start" targetRef="step" />', '');
/** Workflow that fails until `value` is set. */
export const FAILING_MODEL = sequenceModel(
  'breaks',
  step('scriptTask', '<zeebe:script expression="=assert(value, value != null)" resultVariable="result" />'),
);
/** Workflow that stores its inputs and waits for an approval. */
export const WAITING_MODEL = sequenceModel('keeps', '<bpmn:userTask id="step" />');
/** Workflow that starts when its condition is true. */
export const CONDITIONAL_START_MODEL = processModel(
  'starts',
  `<bpmn:startEvent id="start"><bpmn:conditionalEventDefinition><bpmn:condition>=value != null</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:startEvent>${APPROVAL_TASK}${END}`,
  'start > ok',
  'ok > end',
);
