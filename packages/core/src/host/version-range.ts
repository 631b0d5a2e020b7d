type Version = readonly [number, number, number];
type Comparator = (version: Version) => boolean;

const PARTIAL = /^v?(\d+|[x*])(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?(?:[-+][0-9A-Za-z.+-]+)?$/i;

/**
 * Whether a version lies in a range of npm's kind: `^1.2.3`, `~1.2`, `>=1.0.0 <2`, `1.x`, `1.0.0 - 2.0.0`, `*`, joined by
 * `||`. Pre-releases count as their release. `undefined` where the range can't be read.
 */
export function inVersionRange(version: string, range: string): boolean | undefined {
  const parsed = partial(version);
  if (parsed?.length !== 3) return undefined;
  const alternatives = range.split('||').map(comparators);
  if (alternatives.includes(undefined)) return undefined;
  return alternatives.some((all) => all?.every((fits) => fits(parsed as unknown as Version)));
}

function comparators(range: string): Comparator[] | undefined {
  const joined = range
    .trim()
    .replace(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2')
    .replace(/([<>=^~])\s+/g, '$1');
  if (joined === '') return [];
  const all = joined.split(/\s+/).map(comparator);
  return all.includes(undefined) ? undefined : (all as Comparator[]);
}

function comparator(text: string): Comparator | undefined {
  const [, operator = '', rest = ''] = /^(\^|~|>=|<=|>|<|=)?(.*)$/.exec(text) ?? [];
  const parts = partial(rest);
  if (parts === undefined) return undefined;
  const from = filled(parts);
  switch (operator) {
    case '^':
      return between(from, caretEnd(parts));
    case '~':
      return between(from, next(parts.slice(0, 2)));
    case '>=':
      return (version) => compare(version, from) >= 0;
    case '<':
      return (version) => compare(version, from) < 0;
    case '>':
      return parts.length === 3
        ? (version) => compare(version, from) > 0
        : (version) => compare(version, next(parts)) >= 0;
    case '<=':
      return (version) => compare(version, next(parts)) < 0;
    default:
      return between(from, next(parts));
  }
}

/** `1.2` is `[1, 2]`, `1.x` is `[1]`, `*` is `[]`. */
function partial(text: string): number[] | undefined {
  const match = PARTIAL.exec(text.trim());
  if (match === null) return text.trim() === '' ? [] : undefined;
  const numbers: number[] = [];
  for (const part of match.slice(1, 4)) {
    if (part === undefined || !/^\d+$/.test(part)) break;
    numbers.push(Number(part));
  }
  return numbers;
}

function filled([major = 0, minor = 0, patch = 0]: readonly number[]): Version {
  return [major, minor, patch];
}

/** The first version behind all that begin with these numbers. */
function next(parts: readonly number[]): Version {
  if (parts.length === 0) return [Infinity, 0, 0];
  return filled([...parts.slice(0, -1), (parts.at(-1) ?? 0) + 1]);
}

/** The first number that is not 0 may not change. */
function caretEnd(parts: readonly number[]): Version {
  const first = parts.findIndex((part) => part !== 0);
  return next(parts.slice(0, first === -1 ? parts.length : first + 1));
}

function between(from: Version, end: Version): Comparator {
  return (version) => compare(version, from) >= 0 && compare(version, end) < 0;
}

function compare(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
