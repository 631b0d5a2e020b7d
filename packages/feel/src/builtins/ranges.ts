import { equals, compareValues, rangeIncludes } from '../equality.js';
import type { EvaluationState } from '../budget.js';
import { FeelRange } from '../values.js';
import { defineBuiltin, type Builtin } from './builtin.js';

type TernaryResult = boolean | null;

/** Returns whether the order of two bounds passes the test `accepts`, or null if they cannot be compared. */
function compareBounds(left: unknown, right: unknown, accepts: (difference: number) => boolean): TernaryResult {
  const difference = compareValues(left, right);
  return difference === null ? null : accepts(difference);
}

function allTrue(...results: readonly TernaryResult[]): TernaryResult {
  return results.includes(null) ? null : results.every((result) => result === true);
}

const isRange = (value: unknown): value is FeelRange => value instanceof FeelRange;
const isZero = (difference: number): boolean => difference === 0;

/** Returns whether a point or range is before another (DMN 1.3, table 78). */
function before(left: unknown, right: unknown): TernaryResult {
  const end = isRange(left) ? left.end : left;
  const start = isRange(right) ? right.start : right;
  const isSharedBoundIncluded = (!isRange(left) || left.endIncluded) && (!isRange(right) || right.startIncluded);
  if (!isRange(left) && !isRange(right)) return compareBounds(left, right, (difference) => difference < 0);
  return compareBounds(end, start, (difference) => difference < 0 || (difference === 0 && !isSharedBoundIncluded));
}

function meets(left: unknown, right: unknown): TernaryResult {
  if (!isRange(left) || !isRange(right)) return null;
  return compareBounds(
    left.end,
    right.start,
    (difference) => difference === 0 && left.endIncluded && right.startIncluded,
  );
}

function overlaps(left: unknown, right: unknown): TernaryResult {
  if (!isRange(left) || !isRange(right)) return null;
  const disjointTests = [before(left, right), before(right, left)];
  return disjointTests.includes(null) ? null : !disjointTests.includes(true);
}

function overlapsBefore(left: unknown, right: unknown): TernaryResult {
  if (!isRange(left) || !isRange(right)) return null;
  return allTrue(
    compareBounds(left.start, right.start, (d) => d < 0 || (d === 0 && left.startIncluded && !right.startIncluded)),
    compareBounds(left.end, right.start, (d) => d > 0 || (d === 0 && left.endIncluded && right.startIncluded)),
    compareBounds(left.end, right.end, (d) => d < 0 || (d === 0 && (!left.endIncluded || right.endIncluded))),
  );
}

function finishes(left: unknown, right: unknown): TernaryResult {
  if (!isRange(right)) return null;
  if (!isRange(left)) return compareBounds(left, right.end, (d) => d === 0 && right.endIncluded);
  return allTrue(
    compareBounds(left.end, right.end, (d) => d === 0 && left.endIncluded === right.endIncluded),
    compareBounds(left.start, right.start, (d) => d > 0 || (d === 0 && (!left.startIncluded || right.startIncluded))),
  );
}

function starts(left: unknown, right: unknown): TernaryResult {
  if (!isRange(right)) return null;
  if (!isRange(left)) return compareBounds(left, right.start, (d) => d === 0 && right.startIncluded);
  return allTrue(
    compareBounds(left.start, right.start, (d) => d === 0 && left.startIncluded === right.startIncluded),
    compareBounds(left.end, right.end, (d) => d < 0 || (d === 0 && (!left.endIncluded || right.endIncluded))),
  );
}

function includes(left: unknown, right: unknown): TernaryResult {
  if (!isRange(left)) return null;
  if (!isRange(right)) return rangeIncludes(left, right);
  return allTrue(
    compareBounds(left.start, right.start, (d) => d < 0 || (d === 0 && (left.startIncluded || !right.startIncluded))),
    compareBounds(left.end, right.end, (d) => d > 0 || (d === 0 && (left.endIncluded || !right.endIncluded))),
  );
}

function coincides(state: EvaluationState, left: unknown, right: unknown): TernaryResult {
  return isRange(left) || isRange(right) ? equals(state, left, right) : compareBounds(left, right, isZero);
}

type Relation = (left: unknown, right: unknown) => TernaryResult;

/** Declares a relation under each set of parameter names that DMN defines. */
function defineRelationBuiltins(name: string, signatures: readonly string[], relates: Relation): Builtin[] {
  return signatures.map((signature) => defineBuiltin(name, signature, (_state, left, right) => relates(left, right)));
}

const RANGES_SIGNATURE = 'range1, range2';
const POINT_OR_RANGE_SIGNATURES = ['point1, point2', 'point, range', 'range, point', RANGES_SIGNATURE];
const swapArguments =
  (relates: Relation): Relation =>
  (left, right) =>
    relates(right, left);

export const rangeBuiltins: readonly Builtin[] = [
  ...defineRelationBuiltins('before', POINT_OR_RANGE_SIGNATURES, before),
  ...defineRelationBuiltins('after', POINT_OR_RANGE_SIGNATURES, swapArguments(before)),
  ...defineRelationBuiltins('meets', [RANGES_SIGNATURE], meets),
  ...defineRelationBuiltins('met by', [RANGES_SIGNATURE], swapArguments(meets)),
  ...defineRelationBuiltins('overlaps', [RANGES_SIGNATURE], overlaps),
  ...defineRelationBuiltins('overlaps before', [RANGES_SIGNATURE], overlapsBefore),
  ...defineRelationBuiltins('overlaps after', [RANGES_SIGNATURE], swapArguments(overlapsBefore)),
  ...defineRelationBuiltins('finishes', ['point, range', RANGES_SIGNATURE], finishes),
  ...defineRelationBuiltins('finished by', ['range, point', RANGES_SIGNATURE], swapArguments(finishes)),
  ...defineRelationBuiltins('includes', ['range, point', RANGES_SIGNATURE], includes),
  ...defineRelationBuiltins('during', ['point, range', RANGES_SIGNATURE], swapArguments(includes)),
  ...defineRelationBuiltins('starts', ['point, range', RANGES_SIGNATURE], starts),
  ...defineRelationBuiltins('started by', ['range, point', RANGES_SIGNATURE], swapArguments(starts)),
  ...['point1, point2', RANGES_SIGNATURE].map((signature) => defineBuiltin('coincides', signature, coincides)),
];
