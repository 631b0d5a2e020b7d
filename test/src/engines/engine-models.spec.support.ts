import { processModel, serviceTask } from '@countersign/testing';

/** A job, an approval, and a job. */
export const PUBLISH = processModel(
  'publish',
  `<bpmn:startEvent id="start" />${serviceTask('draft', 'work')}<bpmn:userTask id="approve" />${serviceTask('send', 'work')}<bpmn:endEvent id="end" />`,
  'start > draft',
  'draft > approve',
  'approve > send',
  'send > end',
);

/** Two jobs, one after the other. */
export const TWO_JOBS = processModel(
  'two-jobs',
  `<bpmn:startEvent id="start" />${serviceTask('one', 'work')}${serviceTask('two', 'work')}<bpmn:endEvent id="end" />`,
  'start > one',
  'one > two',
  'two > end',
);

/** Creates a model with parallel jobs. */
export function createParallelModel(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `work-${index}`);
  return processModel(
    'parallel',
    `<bpmn:startEvent id="start" /><bpmn:parallelGateway id="fork" />${names.map((name) => serviceTask(name, 'work')).join('')}<bpmn:parallelGateway id="join" /><bpmn:endEvent id="end" />`,
    'start > fork',
    ...names.flatMap((name) => [`fork > ${name}`, `${name} > join`]),
    'join > end',
  );
}

/** Creates the model `loop`: `count` jobs, one after the other, while a timer runs. */
export function createLoopModel(count: number): string {
  const loop = `<bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:loopCardinality xsi:type="bpmn:tFormalExpression">=${count}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;
  return processModel(
    'loop',
    `<bpmn:startEvent id="start" />${serviceTask('work', 'work').replace('</bpmn:serviceTask>', `${loop}</bpmn:serviceTask>`)}<bpmn:boundaryEvent id="late" attachedToRef="work"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent><bpmn:endEvent id="end" />`,
    'start > work',
    'work > end',
    'late > end',
  );
}

/** A job of a type that only some servers execute. */
export const RARE_WORK = processModel(
  'rare-work',
  `<bpmn:startEvent id="start" />${serviceTask('work', 'rare')}<bpmn:endEvent id="end" />`,
  'start > work',
  'work > end',
);

/** Creates the model `waiting`: a timer, and a job that is attempted up to three times. */
export function createTimerModel(duration: string): string {
  return processModel(
    'waiting',
    `<bpmn:startEvent id="start" /><bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>${serviceTask('work', 'work', 3)}<bpmn:endEvent id="end" />`,
    'start > pause',
    'pause > work',
    'work > end',
  );
}
