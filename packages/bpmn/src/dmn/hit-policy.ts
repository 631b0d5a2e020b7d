import { compareNumbers, isNumber, sum, type FeelEvaluation, type FeelNumber } from '@countersign/feel';
import { DecisionError } from './decision-error.js';
import { rankKey } from './output-ranks.js';
import type { Aggregation, DecisionTable, TableOutput } from './decision-logic.js';
import { resultOf, type Hit } from './hits.js';

/** Returns the result of the matched rules, at least one (DMN 1.3, 8.2.10 and 8.2.11). */
export function applyHitPolicy(table: DecisionTable, hits: readonly Hit[], evaluation: FeelEvaluation): unknown {
  const { hitPolicy, outputs, aggregation } = table;
  const single = (of: readonly Hit[]): unknown => resultOf(outputs, of[0]?.outputs ?? []);
  const all = (of: readonly Hit[]): readonly unknown[] => of.map((hit) => resultOf(outputs, hit.outputs));
  switch (hitPolicy) {
    case 'UNIQUE':
      if (hits.length > 1) throw contradiction('dmn_not_unique', hits, 'hit policy UNIQUE allows only one match');
      return single(hits);
    case 'ANY':
      if (!allEqual(hits, evaluation))
        throw contradiction('dmn_any_conflict', hits, 'hit policy ANY requires equal outputs');
      return single(hits);
    case 'FIRST':
      return single(hits);
    case 'PRIORITY':
      return single(byRank(hits, outputs));
    case 'OUTPUT ORDER':
      return all(byRank(hits, outputs));
    case 'RULE ORDER':
      return all(hits);
    case 'COLLECT':
      return aggregation === undefined ? all(hits) : aggregate(aggregation, hits);
  }
}

/** Maximum number of rules that a message names. */
const SHOWN = 10;

function contradiction(code: 'dmn_not_unique' | 'dmn_any_conflict', hits: readonly Hit[], why: string): DecisionError {
  const ids = hits.slice(0, SHOWN).map((hit) => `"${hit.rule.id}"`);
  const more = hits.length > SHOWN ? ` and ${hits.length - SHOWN} more` : '';
  return new DecisionError(code, `the rules ${ids.join(', ')}${more} match; ${why}`);
}

function allEqual([first, ...others]: readonly Hit[], evaluation: FeelEvaluation): boolean {
  return others.every((hit) => hit.outputs.every((value, index) => evaluation.equal(value, first?.outputs[index])));
}

/**
 * Sorts by the ranks of the output values, output by output from the left. Rules of the same rank stay in rule order,
 * and a value that is not among the output values comes last (as on Zeebe 8.6). An output without output values is
 * ignored.
 */
function byRank(hits: readonly Hit[], outputs: readonly TableOutput[]): readonly Hit[] {
  const rank = (hit: Hit, index: number): number =>
    outputs[index]?.ranks?.get(rankKey(hit.outputs[index])) ?? Number.MAX_SAFE_INTEGER;
  return hits.toSorted((left, right) => {
    for (let index = 0; index < outputs.length; index += 1) {
      const difference = rank(left, index) - rank(right, index);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

function aggregate(aggregation: Aggregation, hits: readonly Hit[]): FeelNumber | null {
  if (aggregation === 'COUNT') return hits.length;
  const numbers = hits.map(({ rule, outputs: [value] }) => {
    if (isNumber(value)) return value;
    throw new DecisionError(
      'dmn_not_a_number',
      `the output of rule "${rule.id}" is not a number, but ${aggregation} needs numbers`,
    );
  });
  switch (aggregation) {
    case 'SUM':
      return sum(numbers);
    case 'MIN':
      return numbers.reduce((least, value) => (compareNumbers(value, least) < 0 ? value : least));
    case 'MAX':
      return numbers.reduce((most, value) => (compareNumbers(value, most) > 0 ? value : most));
  }
}
