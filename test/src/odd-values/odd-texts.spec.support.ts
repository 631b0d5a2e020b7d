import type { SeededRandom } from '../seeded-random.spec.support.js';

const FAMILY_EMOJI = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';

/** Texts with a special meaning in some system, deliberately including lone surrogates. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD83D',
  '\uDE00',
  '\uDE00\uD83D',
  'nineteen characters\u{1F600} and more',
  `${'x'.repeat(254)}\u{1F600}`,
  '\u{1F600}'.repeat(128),
  FAMILY_EMOJI.repeat(3),
  '\uFEFFwith a byte order mark',
  '\uFFFD',
  '\uFFFE\uFFFF',
  '\u{10FFFF}',
  '\u202Egnp.exe',
  '\u2028\u2029',
  '\r\n\t\v\f',
  '\u0001\u001B[31mred\u0007\u007F\u0085',
  'e\u0301',
  'Å Å',
  'İstanbul ı ß ﬁ ǆ',
  'Zalgơ̴̢̧',
  '名前',
  'אבג',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'true',
  'NaN',
  '-0',
  '0x1F',
  '1e400',
  '9007199254740993',
  '00012',
  '1,234.56',
  "'; DROP TABLE runs; --",
  '$1 $& $$ ${7*7} {{7*7}} %s %n %00 \\u0000 \\x00 \\',
  '<script>alert(1)</script><!-- ]]> &amp; &#0; &lol;',
  '../../etc/passwd',
  'a/b\\c',
  '.',
  '..',
  '=1 + 1',
  '="',
  '=value.value.value',
  '"quoted"',
  "it's",
  '[]',
  '{}',
  'http://[::1',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
];

/** Times and durations, including impossible ones. */
const TIMES: readonly string[] = [
  '0001-01-01T00:00:00+05:00',
  '0000-01-01T00:00:00Z',
  '-0001-12-31T00:00:00Z',
  '1582-10-10T00:00:00Z',
  '1970-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-27T24:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-11-27T12:00:00',
  '2026-11-27T12:00:00.123456789123456789Z',
  '2026-11-27T12:00Z',
  '2026-11-27',
  '2026-03-29T02:30:00@Europe/Berlin',
  '2026-03-29T02:30:00+01:00[Europe/Berlin]',
  '2026-11-27T12:00:00@Mars/Olympus',
  '2026-11-27T12:00:00+24:00',
  '2026-11-27T12:00:00-18:00',
  '2038-01-19T03:14:08Z',
  '2099-12-31T23:59:59Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-05:00',
  '10000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '+275760-09-13T00:00:01Z',
  '999999999-12-31T23:59:59Z',
  '12:00:00',
  '23:59:60',
  'PT0S',
  '-PT1S',
  'PT0.001S',
  'PT0.0000001S',
  'PT1H30M',
  'P1M',
  'P1Y2M',
  'P1Y2M3DT4H',
  'P25D',
  'P9000Y',
  'P7975Y',
  'P99999999999D',
  'PT99999999999999999999S',
  'P1W',
  'PT',
  'P',
  'R/PT1H',
  'R3/PT0S',
  'R0/PT1S',
  'R-1/PT1H',
  'R1000000000/PT1H',
  'R99999999999999999999/PT1H',
  'R/2026-11-15T18:00:00Z/PT15M',
  'R/1970-01-01T00:00:00Z/PT0.001S',
  'R/9999-12-31T23:59:59-05:00/PT1H',
  'R2/P9000Y',
  'R/-PT1H',
  'R//',
  '0 0 9-17 * * MON-FRI',
  '0 0 0 31 2 *',
  '* * * * *',
  '@hourly',
  '@never',
];

/** Lengths up to and beyond the limits of names, comments and index entries. */
const LENGTHS = [127, 128, 200, 201, 254, 255, 256, 1_000, 1_001, 2_700, 10_000, 10_001, 100_000];
const LETTERS = ['x', '名', '\u{1F600}', 'e\u0301', '\uD83D', "'", '\\', ' ', '\u200D'];

export function createOddText(random: SeededRandom): string {
  return random.weighted<() => string>([
    [6, () => random.pick(TEXTS)],
    [3, () => createOddTime(random)],
    [2, () => random.pick(LETTERS).repeat(random.pick(LENGTHS))],
    [2, () => random.pick(TEXTS) + random.pick(TEXTS)],
    [3, () => createCodeUnits(random)],
  ])();
}

export function createOddTime(random: SeededRandom): string {
  const time = random.pick(TIMES);
  if (random.chance(0.8)) return time;
  // Adds a typing error: a missing or an additional character.
  const cutAt = random.int(time.length);
  return random.chance(0.5)
    ? time.slice(0, cutAt) + time.slice(cutAt + 1)
    : `${time.slice(0, cutAt)}9${time.slice(cutAt)}`;
}

/** Returns a name as a user may choose it, sometimes too long or with characters that a name should not contain. */
export function createOddName(random: SeededRandom): string {
  return random.chance(0.5)
    ? createOddText(random)
    : `n${random.int(1_000)}${random.pick(LETTERS).repeat(random.int(260))}`;
}

/** Returns random UTF-16 code units. About half of the results exclude surrogates; the others may contain lone ones. */
function createCodeUnits(random: SeededRandom): string {
  const limit = random.chance(0.5) ? 0xd800 : 0x1_0000;
  return String.fromCharCode(...Array.from({ length: 1 + random.int(30) }, () => random.int(limit)));
}
