import type { SeededRandom } from '../seeded-random.spec.support.js';
import { createOddText, createOddTime } from './odd-texts.spec.support.js';

const NUMBERS: readonly string[] = [
  '0',
  '-0',
  '0.0',
  '1',
  '-1',
  '1.10',
  '0.1',
  '0.30000000000000004',
  '8.41',
  '19.95',
  '1e2',
  '1E+2',
  '255',
  '256',
  '100000',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '8202522731445525542',
  '18446744073709551616',
  '1e20',
  '1e21',
  '1e22',
  '123456789012345678901234567890123456789',
  '0.1234567890123456789',
  '3.1415926535897932384626433832795028841971',
  '1.7976931348623157e308',
  '1e308',
  '1e309',
  '1e400',
  '-1e999999999',
  '5e-324',
  '1e-324',
  '1e-400',
  '2.2250738585072014e-308',
  '0.000000000000000000000000000000000001',
  '99999999999.999',
  '253402300799999',
  '253402300800000',
];

const KEYS = [
  'a',
  'value',
  'id',
  '',
  ' ',
  'a b',
  'a.b',
  'a/b~c',
  '=x',
  'null',
  'length',
  'toJSON',
  'then',
  '名前',
  'ﬁ',
];
const DEPTHS = [10, 60, 62, 63, 64, 65, 1_000, 100_000];
const WIDTHS = [10, 100, 1_000, 1_001, 10_000];

/** Returns a random JSON value with odd parts. Lone surrogates are escaped, because UTF-8 cannot encode them. */
export function createOddJson(random: SeededRandom, depth = 0): string {
  return random.weighted<() => string>([
    [6, () => toJsonString(createOddText(random))],
    [2, () => toJsonString(createOddTime(random))],
    [5, () => random.pick(NUMBERS)],
    [1, () => random.pick(['true', 'false', 'null'])],
    [depth < 3 ? 4 : 0, () => createOddList(random, depth)],
    [depth < 3 ? 5 : 0, () => createOddMembers(random, depth)],
    [depth === 0 ? 1 : 0, () => createDeepJson(random)],
    [depth === 0 ? 1 : 0, () => createWideJson(random)],
  ])();
}

/** Returns a random JSON object. */
export function createOddObject(random: SeededRandom): string {
  return random.chance(0.1)
    ? `{"deep":${createDeepJson(random)},"wide":${createWideJson(random)}}`
    : createOddMembers(random, 0);
}

/** Returns a text as a JSON string, with lone surrogates escaped. */
export function toJsonString(text: string): string {
  return JSON.stringify(text);
}

function createOddList(random: SeededRandom, depth: number): string {
  return `[${Array.from({ length: random.int(6) }, () => createOddJson(random, depth + 1)).join(',')}]`;
}

function createOddMembers(random: SeededRandom, depth: number): string {
  const keys = new Set(
    Array.from({ length: random.int(6) }, () => (random.chance(0.8) ? random.pick(KEYS) : createOddText(random))),
  );
  return `{${[...keys].map((key) => `${toJsonString(key)}:${createOddJson(random, depth + 1)}`).join(',')}}`;
}

function createDeepJson(random: SeededRandom): string {
  const depth = random.pick(DEPTHS);
  const inner = createOddJson(random, 3);
  return random.chance(0.5)
    ? '['.repeat(depth) + inner + ']'.repeat(depth)
    : '{"a":'.repeat(depth) + inner + '}'.repeat(depth);
}

function createWideJson(random: SeededRandom): string {
  const width = random.pick(WIDTHS);
  const each = random.chance(0.5) ? random.pick(NUMBERS.slice(0, 8)) : toJsonString(random.pick(KEYS));
  return random.chance(0.7)
    ? `[${Array.from({ length: width }, () => each).join(',')}]`
    : `{${Array.from({ length: width }, (_, index) => `"k${index}":${each}`).join(',')}}`;
}
