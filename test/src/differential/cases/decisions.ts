import type { JsonObject } from '@countersign/core/plugin';
import { businessRuleTask, decisionModel, type DecisionTable } from '@countersign/testing';
import { single, type DifferentialCase } from '../case.js';
import { end, scope, start } from '../model-text.js';

/**
 * Returns a case whose business rule task `ask` evaluates the DMN decision. DMN decisions stay on the broker, so each
 * case has a separate one.
 */
function asking(
  id: string,
  decisionId: string,
  dmnXml: string | undefined,
  variables: JsonObject = {},
  task = businessRuleTask('ask', decisionId),
): DifferentialCase {
  const made = single(id, scope([start(), task, end()], 'start > ask', 'ask > end'), [], variables);
  return dmnXml === undefined ? made : { ...made, dmnXml };
}

function table(id: string, { id: decisionId, ...rest }: DecisionTable, variables: JsonObject = {}): DifferentialCase {
  return asking(id, decisionId, decisionModel({ id: decisionId, ...rest }), variables);
}

const RULES = ['< 5 => "low"', '[5..10] => "middle"', '>= 10 => "high"'];

/** Returns the DMN requirements of the decision `id` besides a table. */
const drg = (content: string): string =>
  `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="requirements" name="Requirements" namespace="urn:countersign:test">${content}</definitions>`;
const literal = (id: string, text: string, before = ''): string =>
  `<decision id="${id}" name="${id}">${before}<literalExpression id="${id}-text"><text>${text}</text></literalExpression></decision>`;
const requires = (id: string, by: string): string =>
  `<informationRequirement id="${by}-needs-${id}"><requiredDecision href="#${id}" /></informationRequirement>`;
/** Returns two rules that match if `base` is 3. */
const added = (id: string, aggregation: string, before: string): string =>
  decisionOf(
    decisionModel({ id, hitPolicy: 'COLLECT', inputs: ['base'], rules: ['> 1 => base', '> 2 => 10', '> 3 => 100'] }),
  )
    .replace('hitPolicy="COLLECT"', `hitPolicy="COLLECT" aggregation="${aggregation}"`)
    .replace('<decisionTable', `${before}<decisionTable`);
/** Returns a table with the outputs `level` and `days`. */
const columns = (id: string): string =>
  decisionOf(decisionModel({ id, inputs: ['x'], rules: ['- => "low"'] }))
    .replace(
      `<output id="${id}-output" />`,
      `<output id="${id}-level" name="level" /><output id="${id}-days" name="days" />`,
    )
    .replace('</rule>', `<outputEntry id="${id}-more"><text>x + 1</text></outputEntry></rule>`);

function decisionOf(dmnXml: string): string {
  return /<decision .*<\/decision>/s.exec(dmnXml)?.[0] ?? '';
}

const mapping =
  '<zeebe:ioMapping><zeebe:input source="=order.total" target="x" /><zeebe:output source="=result + &quot;!&quot;" target="said" /></zeebe:ioMapping>';
const loop =
  '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=[1, 7]" inputElement="x" outputCollection="all" outputElement="=result" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';
const looped = (decisionId: string): string =>
  businessRuleTask('ask', decisionId).replace('</bpmn:businessRuleTask>', `${loop}</bpmn:businessRuleTask>`);

/** DMN 1.3, 8.2; Zeebe: business rule tasks with `zeebe:calledDecision`. */
export const DECISION_CASES: readonly DifferentialCase[] = [
  table('decision: the one rule that matches', { id: 'unique', inputs: ['x'], rules: RULES }, { x: 7 }),
  table('decision: no rule matches', { id: 'unmatched', inputs: ['x'], rules: ['< 0 => "odd"'] }, { x: 7 }),
  table('decision: two rules match where one may', { id: 'ambiguous', inputs: ['x'], rules: RULES }, { x: 10 }),
  table(
    'decision: the first rule that matches',
    { id: 'first', hitPolicy: 'FIRST', inputs: ['x'], rules: RULES },
    { x: 10 },
  ),
  table(
    'decision: all rules that match',
    { id: 'collect', hitPolicy: 'COLLECT', inputs: ['x'], rules: RULES },
    { x: 10 },
  ),
  table(
    'decision: all rules that match, in their order',
    { id: 'ordered', hitPolicy: 'RULE ORDER', inputs: ['x'], rules: RULES },
    { x: 10 },
  ),
  table(
    'decision: none of all',
    { id: 'collect-none', hitPolicy: 'COLLECT', inputs: ['x'], rules: ['< 0 => 1'] },
    { x: 10 },
  ),
  table(
    'decision: rules that agree',
    { id: 'agreed', hitPolicy: 'ANY', inputs: ['x'], rules: ['> 1 => "a"', '> 2 => "a"'] },
    { x: 10 },
  ),
  table(
    'decision: rules that disagree',
    { id: 'disagreed', hitPolicy: 'ANY', inputs: ['x'], rules: ['> 1 => "a"', '> 2 => "b"'] },
    { x: 10 },
  ),
  table(
    'decision: several inputs, and what is missing',
    {
      id: 'several',
      inputs: ['x', 'missing', 'y.z'],
      rules: ['- | not("a") | "b" => 1', '- | null | "b" => 2', '- | - | - => 3'],
      hitPolicy: 'FIRST',
    },
    { x: 1, y: { z: 'b' } },
  ),
  table(
    'decision: outputs are expressions',
    {
      id: 'computed',
      inputs: ['x'],
      rules: ['- => {twice: x * 2, list: [x, null], when: string(date("2024-02-29") + duration("P1Y"))}'],
    },
    { x: 10 },
  ),
  asking(
    'decision: requires others, and adds up what matches',
    'total',
    drg(literal('base', 'x + 1') + added('total', 'SUM', requires('base', 'total'))),
    { x: 2 },
  ),
  asking(
    'decision: counts what matches',
    'counted',
    drg(literal('base', 'x + 1') + added('counted', 'COUNT', requires('base', 'counted'))),
    { x: 2 },
  ),
  asking('decision: several outputs', 'outputs', drg(columns('outputs')), { x: 2 }),
  asking('decision: none is deployed', 'never-deployed', undefined),
  asking(
    'decision: chosen by an expression',
    '="cho" + which',
    decisionModel({ id: 'chosen', inputs: ['1'], rules: ['- => "here"'] }),
    { which: 'sen' },
  ),
  asking('decision: chosen by a number', '=which', undefined, { which: 7 }),
  asking(
    'decision: mappings around it',
    'mapped',
    decisionModel({ id: 'mapped', inputs: ['x'], rules: RULES }),
    { order: { total: 3 } },
    businessRuleTask('ask', 'mapped', 'result', mapping),
  ),
  asking(
    'decision: in each turn of a loop',
    'looped',
    decisionModel({ id: 'looped', inputs: ['x'], rules: RULES }),
    {},
    looped('looped'),
  ),
  asking(
    'decision: requires others',
    'top',
    drg(
      literal('base', 'x + 1') +
        literal('middle', 'base * 10', requires('base', 'middle')) +
        literal('top', '[base, middle]', requires('base', 'top') + requires('middle', 'top')),
    ),
    { x: 2 },
  ),
  asking(
    'decision: requires one that has no result',
    'upper',
    drg(literal('lower', 'missing.a') + literal('upper', '[lower, 1]', requires('lower', 'upper'))),
    { x: 2 },
  ),
  asking(
    'decision: a literal expression that gives a date',
    'dated',
    drg(literal('dated', 'date(x) + duration("P1D")')),
    { x: '2024-12-31' },
  ),
];
