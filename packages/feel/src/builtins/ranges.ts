import { equals, order, rangeIncludes } from '../equality.js';
import type { Run } from '../budget.js';
import { FeelRange } from '../values.js';
import { builtin, type Builtin } from './builtin.js';

type Answer = boolean | null;

/** Compares two ends. `holds` interprets their order; null if they have none. */
function ends(left: unknown, right: unknown, holds: (difference: number) => boolean): Answer {
  const difference = order(left, right);
  return difference === null ? null : holds(difference);
}

function and(...answers: readonly Answer[]): Answer {
  return answers.includes(null) ? null : answers.every((answer) => answer === true);
}

const isRange = (value: unknown): value is FeelRange => value instanceof FeelRange;
const same = (difference: number): boolean => difference === 0;

/** Returns whether a point or range is before another (DMN 1.3, table 78). */
function before(left: unknown, right: unknown): Answer {
  const end = isRange(left) ? left.end : left;
  const start = isRange(right) ? right.start : right;
  const touching = (!isRange(left) || left.endIncluded) && (!isRange(right) || right.startIncluded);
  if (!isRange(left) && !isRange(right)) return ends(left, right, (difference) => difference < 0);
  return ends(end, start, (difference) => difference < 0 || (difference === 0 && !touching));
}

function meets(left: unknown, right: unknown): Answer {
  if (!isRange(left) || !isRange(right)) return null;
  return ends(left.end, right.start, (difference) => difference === 0 && left.endIncluded && right.startIncluded);
}

function overlaps(left: unknown, right: unknown): Answer {
  if (!isRange(left) || !isRange(right)) return null;
  const apart = [before(left, right), before(right, left)];
  return apart.includes(null) ? null : !apart.includes(true);
}

function overlapsBefore(left: unknown, right: unknown): Answer {
  if (!isRange(left) || !isRange(right)) return null;
  return and(
    ends(left.start, right.start, (d) => d < 0 || (d === 0 && left.startIncluded && !right.startIncluded)),
    ends(left.end, right.start, (d) => d > 0 || (d === 0 && left.endIncluded && right.startIncluded)),
    ends(left.end, right.end, (d) => d < 0 || (d === 0 && (!left.endIncluded || right.endIncluded))),
  );
}

function finishes(left: unknown, right: unknown): Answer {
  if (!isRange(right)) return null;
  if (!isRange(left)) return ends(left, right.end, (d) => d === 0 && right.endIncluded);
  return and(
    ends(left.end, right.end, (d) => d === 0 && left.endIncluded === right.endIncluded),
    ends(left.start, right.start, (d) => d > 0 || (d === 0 && (!left.startIncluded || right.startIncluded))),
  );
}

function starts(left: unknown, right: unknown): Answer {
  if (!isRange(right)) return null;
  if (!isRange(left)) return ends(left, right.start, (d) => d === 0 && right.startIncluded);
  return and(
    ends(left.start, right.start, (d) => d === 0 && left.startIncluded === right.startIncluded),
    ends(left.end, right.end, (d) => d < 0 || (d === 0 && (!left.endIncluded || right.endIncluded))),
  );
}

function includes(left: unknown, right: unknown): Answer {
  if (!isRange(left)) return null;
  if (!isRange(right)) return rangeIncludes(left, right);
  return and(
    ends(left.start, right.start, (d) => d < 0 || (d === 0 && (left.startIncluded || !right.startIncluded))),
    ends(left.end, right.end, (d) => d > 0 || (d === 0 && (left.endIncluded || !right.endIncluded))),
  );
}

function coincides(run: Run, left: unknown, right: unknown): Answer {
  return isRange(left) || isRange(right) ? equals(run, left, right) : ends(left, right, same);
}

type Relation = (left: unknown, right: unknown) => Answer;

/** Declares a relation under each set of parameter names that DMN defines. */
function relation(name: string, signatures: readonly string[], holds: Relation): Builtin[] {
  return signatures.map((signature) => builtin(name, signature, (_run, left, right) => holds(left, right)));
}

const RANGES = 'range1, range2';
const POINTS = ['point1, point2', 'point, range', 'range, point', RANGES];
const swapped =
  (holds: Relation): Relation =>
  (left, right) =>
    holds(right, left);

export const rangeBuiltins: readonly Builtin[] = [
  ...relation('before', POINTS, before),
  ...relation('after', POINTS, swapped(before)),
  ...relation('meets', [RANGES], meets),
  ...relation('met by', [RANGES], swapped(meets)),
  ...relation('overlaps', [RANGES], overlaps),
  ...relation('overlaps before', [RANGES], overlapsBefore),
  ...relation('overlaps after', [RANGES], swapped(overlapsBefore)),
  ...relation('finishes', ['point, range', RANGES], finishes),
  ...relation('finished by', ['range, point', RANGES], swapped(finishes)),
  ...relation('includes', ['range, point', RANGES], includes),
  ...relation('during', ['point, range', RANGES], swapped(includes)),
  ...relation('starts', ['point, range', RANGES], starts),
  ...relation('started by', ['range, point', RANGES], swapped(starts)),
  ...['point1, point2', RANGES].map((signature) => builtin('coincides', signature, coincides)),
];
