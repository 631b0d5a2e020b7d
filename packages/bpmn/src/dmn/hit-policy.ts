import { compareNumbers, isNumber, sum, type FeelEvaluation, type FeelNumber } from '@countersign/feel';
import { DecisionError } from './decision-error.js';
import { toRankKey } from './output-ranks.js';
import type { Aggregation, DecisionTable, TableOutput } from './decision-logic.js';
import { buildResult, type Hit } from './hits.js';

/** Returns the result of the matched rules, of which there must be at least one (DMN 1.3, 8.2.10 and 8.2.11). */
export function applyHitPolicy(table: DecisionTable, hits: readonly Hit[], evaluation: FeelEvaluation): unknown {
  const { hitPolicy, outputs, aggregation } = table;
  const toSingleResult = (selectedHits: readonly Hit[]): unknown =>
    buildResult(outputs, selectedHits[0]?.outputs ?? []);
  const toResults = (selectedHits: readonly Hit[]): readonly unknown[] =>
    selectedHits.map((hit) => buildResult(outputs, hit.outputs));
  switch (hitPolicy) {
    case 'UNIQUE':
      if (hits.length > 1) throw createConflictError('dmn_not_unique', hits, 'hit policy UNIQUE allows only one match');
      return toSingleResult(hits);
    case 'ANY':
      if (!allEqual(hits, evaluation))
        throw createConflictError('dmn_any_conflict', hits, 'hit policy ANY requires equal outputs');
      return toSingleResult(hits);
    case 'FIRST':
      return toSingleResult(hits);
    case 'PRIORITY':
      return toSingleResult(sortByRank(hits, outputs));
    case 'OUTPUT ORDER':
      return toResults(sortByRank(hits, outputs));
    case 'RULE ORDER':
      return toResults(hits);
    case 'COLLECT':
      return aggregation === undefined ? toResults(hits) : aggregate(aggregation, hits);
  }
}

/** Maximum number of rules that a message names. */
const MAX_SHOWN_RULES = 10;

function createConflictError(
  code: 'dmn_not_unique' | 'dmn_any_conflict',
  hits: readonly Hit[],
  reason: string,
): DecisionError {
  const ids = hits.slice(0, MAX_SHOWN_RULES).map((hit) => `"${hit.rule.id}"`);
  const suffix = hits.length > MAX_SHOWN_RULES ? ` and ${hits.length - MAX_SHOWN_RULES} more` : '';
  return new DecisionError(code, `the rules ${ids.join(', ')}${suffix} match; ${reason}`);
}

function allEqual([first, ...others]: readonly Hit[], evaluation: FeelEvaluation): boolean {
  return others.every((hit) => hit.outputs.every((value, index) => evaluation.equal(value, first?.outputs[index])));
}

/**
 * Sorts by the ranks of the output values, output by output from the left. Rules of the same rank stay in rule order,
 * and a value that is not among the output values comes last (as in Zeebe 8.6). An output without output values is
 * ignored.
 */
function sortByRank(hits: readonly Hit[], outputs: readonly TableOutput[]): readonly Hit[] {
  const getRank = (hit: Hit, index: number): number =>
    outputs[index]?.ranks?.get(toRankKey(hit.outputs[index])) ?? Number.MAX_SAFE_INTEGER;
  return hits.toSorted((left, right) => {
    for (let index = 0; index < outputs.length; index += 1) {
      const difference = getRank(left, index) - getRank(right, index);
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
      return numbers.reduce((minimum, value) => (compareNumbers(value, minimum) < 0 ? value : minimum));
    case 'MAX':
      return numbers.reduce((maximum, value) => (compareNumbers(value, maximum) > 0 ? value : maximum));
  }
}
