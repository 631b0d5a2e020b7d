import { expect } from 'chai';
import { TYPE_PARSERS } from './type-parsers.js';

const TIMESTAMPTZ = 1184;

describe('TYPE_PARSERS', () => {
  const parse = TYPE_PARSERS.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => number;

  it('should parse times to milliseconds since the epoch, for any time zone and precision', () => {
    for (const [text, iso] of [
      ['2026-11-21 19:42:07.123+00', '2026-11-21T19:42:07.123Z'],
      ['2026-11-21 19:42:07.1+00', '2026-11-21T19:42:07.100Z'],
      ['2026-11-21 19:42:07.123999+00', '2026-11-21T19:42:07.123Z'],
      ['2026-11-21 19:42:07+00', '2026-11-21T19:42:07.000Z'],
      ['2026-11-21 21:42:07.123+02', '2026-11-21T19:42:07.123Z'],
      ['2026-11-22 01:12:07.123+05:30', '2026-11-21T19:42:07.123Z'],
      ['0099-01-01 00:00:00+00', '0099-01-01T00:00:00.000Z'],
      ['12026-11-21 19:42:07.123+00', '+012026-11-21T19:42:07.123Z'],
      ['0044-03-15 00:00:00+00 BC', '-000043-03-15T00:00:00.000Z'],
    ] as const) {
      expect(new Date(parse(text)).toISOString(), text).to.equal(iso);
    }
    expect(parse('infinity')).to.equal(Infinity);
  });
});
