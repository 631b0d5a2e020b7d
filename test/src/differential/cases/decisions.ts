import type { JsonObject } from '@countersign/core/plugin';
import { businessRuleTask, decisionModel, type DecisionTable } from '@countersign/testing';
import { singleProcessCase, type DifferentialCase } from '../case.js';
import { end, scope, start } from '../model-text.js';

/**
 * Returns a case whose business rule task `ask` evaluates the DMN decision. DMN decisions stay on the broker, so each
 * case has a separate one.
 */
function businessRuleCase(
  id: string,
  decisionId: string,
  dmnXml: string | undefined,
  variables: JsonObject = {},
  task = businessRuleTask('ask', decisionId),
): DifferentialCase {
  const differentialCase = singleProcessCase(
    id,
    scope([start(), task, end()], 'start > ask', 'ask > end'),
    [],
    variables,
  );
  return dmnXml === undefined ? differentialCase : { ...differentialCase, dmnXml };
}

function tableCase(
  id: string,
  { id: decisionId, ...rest }: DecisionTable,
  variables: JsonObject = {},
): DifferentialCase {
  return businessRuleCase(id, decisionId, decisionModel({ id: decisionId, ...rest }), variables);
}

const SIZE_RULES = ['< 5 => "low"', '[5..10] => "middle"', '>= 10 => "high"'];

/** Returns a DMN model with the given decisions. */
const requirementsModel = (content: string): string =>
  `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="requirements" name="Requirements" namespace="urn:countersign:test">${content}</definitions>`;
const literalDecision = (id: string, text: string, requirements = ''): string =>
  `<decision id="${id}" name="${id}">${requirements}<literalExpression id="${id}-text"><text>${text}</text></literalExpression></decision>`;
const decisionRequirement = (id: string, requiringId: string): string =>
  `<informationRequirement id="${requiringId}-needs-${id}"><requiredDecision href="#${id}" /></informationRequirement>`;
/** Returns two rules that match if `base` is 3. */
const collectTable = (id: string, aggregation: string, requirements: string): string =>
  extractDecision(
    decisionModel({ id, hitPolicy: 'COLLECT', inputs: ['base'], rules: ['> 1 => base', '> 2 => 10', '> 3 => 100'] }),
  )
    .replace('hitPolicy="COLLECT"', `hitPolicy="COLLECT" aggregation="${aggregation}"`)
    .replace('<decisionTable', `${requirements}<decisionTable`);
/** Returns a table with the outputs `level` and `days`. */
const twoOutputTable = (id: string): string =>
  extractDecision(decisionModel({ id, inputs: ['x'], rules: ['- => "low"'] }))
    .replace(
      `<output id="${id}-output" />`,
      `<output id="${id}-level" name="level" /><output id="${id}-days" name="days" />`,
    )
    .replace('</rule>', `<outputEntry id="${id}-more"><text>x + 1</text></outputEntry></rule>`);

function extractDecision(dmnXml: string): string {
  return /<decision .*<\/decision>/s.exec(dmnXml)?.[0] ?? '';
}

const IO_MAPPING =
  '<zeebe:ioMapping><zeebe:input source="=order.total" target="x" /><zeebe:output source="=result + &quot;!&quot;" target="said" /></zeebe:ioMapping>';
const LOOP =
  '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=[1, 7]" inputElement="x" outputCollection="all" outputElement="=result" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';
const loopedTask = (decisionId: string): string =>
  businessRuleTask('ask', decisionId).replace('</bpmn:businessRuleTask>', `${LOOP}</bpmn:businessRuleTask>`);

/** DMN 1.3, 8.2; Zeebe: business rule tasks with `zeebe:calledDecision`. */
export const DECISION_CASES: readonly DifferentialCase[] = [
  tableCase('decision: the one rule that matches', { id: 'unique', inputs: ['x'], rules: SIZE_RULES }, { x: 7 }),
  tableCase('decision: no rule matches', { id: 'unmatched', inputs: ['x'], rules: ['< 0 => "odd"'] }, { x: 7 }),
  tableCase(
    'decision: two rules match where one may',
    { id: 'ambiguous', inputs: ['x'], rules: SIZE_RULES },
    { x: 10 },
  ),
  tableCase(
    'decision: the first rule that matches',
    { id: 'first', hitPolicy: 'FIRST', inputs: ['x'], rules: SIZE_RULES },
    { x: 10 },
  ),
  tableCase(
    'decision: all rules that match',
    { id: 'collect', hitPolicy: 'COLLECT', inputs: ['x'], rules: SIZE_RULES },
    { x: 10 },
  ),
  tableCase(
    'decision: all rules that match, in their order',
    { id: 'ordered', hitPolicy: 'RULE ORDER', inputs: ['x'], rules: SIZE_RULES },
    { x: 10 },
  ),
  tableCase(
    'decision: none of all',
    { id: 'collect-none', hitPolicy: 'COLLECT', inputs: ['x'], rules: ['< 0 => 1'] },
    { x: 10 },
  ),
  tableCase(
    'decision: rules that agree',
    { id: 'agreed', hitPolicy: 'ANY', inputs: ['x'], rules: ['> 1 => "a"', '> 2 => "a"'] },
    { x: 10 },
  ),
  tableCase(
    'decision: rules that disagree',
    { id: 'disagreed', hitPolicy: 'ANY', inputs: ['x'], rules: ['> 1 => "a"', '> 2 => "b"'] },
    { x: 10 },
  ),
  tableCase(
    'decision: several inputs, and what is missing',
    {
      id: 'several',
      inputs: ['x', 'missing', 'y.z'],
      rules: ['- | not("a") | "b" => 1', '- | null | "b" => 2', '- | - | - => 3'],
      hitPolicy: 'FIRST',
    },
    { x: 1, y: { z: 'b' } },
  ),
  tableCase(
    'decision: outputs are expressions',
    {
      id: 'computed',
      inputs: ['x'],
      rules: ['- => {twice: x * 2, list: [x, null], when: string(date("2024-02-29") + duration("P1Y"))}'],
    },
    { x: 10 },
  ),
  businessRuleCase(
    'decision: requires others, and adds up what matches',
    'total',
    requirementsModel(
      literalDecision('base', 'x + 1') + collectTable('total', 'SUM', decisionRequirement('base', 'total')),
    ),
    { x: 2 },
  ),
  businessRuleCase(
    'decision: counts what matches',
    'counted',
    requirementsModel(
      literalDecision('base', 'x + 1') + collectTable('counted', 'COUNT', decisionRequirement('base', 'counted')),
    ),
    { x: 2 },
  ),
  businessRuleCase('decision: several outputs', 'outputs', requirementsModel(twoOutputTable('outputs')), { x: 2 }),
  businessRuleCase('decision: none is deployed', 'never-deployed', undefined),
  businessRuleCase(
    'decision: chosen by an expression',
    '="cho" + which',
    decisionModel({ id: 'chosen', inputs: ['1'], rules: ['- => "here"'] }),
    { which: 'sen' },
  ),
  businessRuleCase('decision: chosen by a number', '=which', undefined, { which: 7 }),
  businessRuleCase(
    'decision: mappings around it',
    'mapped',
    decisionModel({ id: 'mapped', inputs: ['x'], rules: SIZE_RULES }),
    { order: { total: 3 } },
    businessRuleTask('ask', 'mapped', 'result', IO_MAPPING),
  ),
  businessRuleCase(
    'decision: in each turn of a loop',
    'looped',
    decisionModel({ id: 'looped', inputs: ['x'], rules: SIZE_RULES }),
    {},
    loopedTask('looped'),
  ),
  businessRuleCase(
    'decision: requires others',
    'top',
    requirementsModel(
      literalDecision('base', 'x + 1') +
        literalDecision('middle', 'base * 10', decisionRequirement('base', 'middle')) +
        literalDecision(
          'top',
          '[base, middle]',
          decisionRequirement('base', 'top') + decisionRequirement('middle', 'top'),
        ),
    ),
    { x: 2 },
  ),
  businessRuleCase(
    'decision: requires one that has no result',
    'upper',
    requirementsModel(
      literalDecision('lower', 'missing.a') +
        literalDecision('upper', '[lower, 1]', decisionRequirement('lower', 'upper')),
    ),
    { x: 2 },
  ),
  businessRuleCase(
    'decision: a literal expression that gives a date',
    'dated',
    requirementsModel(literalDecision('dated', 'date(x) + duration("P1D")')),
    { x: '2024-12-31' },
  ),
];
