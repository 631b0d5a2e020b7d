import { getUtcOffset } from '@countersign/contract';
import { expect } from 'chai';
import { EMPTY_MOMENT_INPUT, parseMomentInput, toMomentInput, type MomentInput } from './moment-input.js';

const BERLIN = 'Europe/Berlin';

/** Returns the entered moment, or the reason why there is none. */
function parseToIso(input: MomentInput, zone = BERLIN): string {
  const moment = parseMomentInput(input, zone);
  return moment.kind === 'moment' ? new Date(moment.at).toISOString() : moment.kind;
}

describe('parseMomentInput', () => {
  it('should return the initial moment to the millisecond if the field is unchanged', () => {
    for (const [zone, ...moments] of [
      // Both occurrences of the hour 02:xx, and the moments around them.
      [BERLIN, '2027-10-31T00:30:15.250Z', '2027-10-31T01:30:00.000Z', '2027-10-31T02:00:59.999Z'],
      [BERLIN, '2027-03-28T00:59:59.999Z', '2027-03-28T01:00:00.001Z', '2026-07-15T22:05:00.000Z'],
      ['Australia/Lord_Howe', '2026-04-04T14:45:30.000Z', '2026-04-04T15:15:30.000Z'],
      ['America/Santiago', '2025-04-06T02:30:00.000Z', '2025-04-06T03:30:00.000Z', '2025-09-07T04:00:00.000Z'],
      ['Pacific/Apia', '2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z'],
    ] as const)
      for (const at of moments) expect(parseToIso(toMomentInput(at, zone), zone), zone).to.equal(at);
  });

  it('should drop the seconds of the initial moment if another minute or hour is entered', () => {
    // given
    const input = toMomentInput('2027-10-31T01:30:15.250Z', BERLIN);
    // then
    expect(parseToIso({ ...input, text: '2027-10-31T02:31' })).to.equal('2027-10-31T01:31:00.000Z');
    expect(parseToIso({ ...input, offset: 2 * 3_600_000 })).to.equal('2027-10-31T00:30:00.000Z');
    expect(parseToIso({ ...input, text: '2027-11-01T02:30' })).to.equal('2027-11-01T01:30:00.000Z');
  });

  it('should offer both moments of a local time that occurs twice', () => {
    // given
    const input = { text: '2027-10-31T02:30' };
    const first = Date.parse('2027-10-31T00:30Z');
    const second = Date.parse('2027-10-31T01:30Z');
    // then
    expect(parseMomentInput(input, BERLIN)).to.deep.equal({
      kind: 'moment',
      at: first,
      possibleMoments: [first, second],
    });
    for (const at of [first, second])
      expect(parseMomentInput({ ...input, offset: getUtcOffset(at, BERLIN) }, BERLIN)).to.include({ at });
  });

  it('should choose the first of two moments, regardless of the season of the initial moment', () => {
    for (const initialMoment of ['2027-07-01T10:00Z', '2027-12-01T10:00Z'])
      expect(parseToIso({ ...toMomentInput(initialMoment, BERLIN), text: '2027-10-31T02:30' })).to.equal(
        '2027-10-31T00:30:00.000Z',
      );
  });

  it('should return no moment for a local time that does not exist', () => {
    expect(parseMomentInput({ text: '2027-03-28T02:30' }, BERLIN)).to.deep.equal({
      kind: 'skipped',
      next: Date.parse('2027-03-28T01:00Z'),
    });
    // The same applies if the field initially showed a moment.
    expect(parseToIso({ ...toMomentInput('2027-03-28T01:30Z', BERLIN), text: '2027-03-28T02:30' })).to.equal('skipped');
  });

  it('should return no moment for a field that is empty or contains no date', () => {
    expect([EMPTY_MOMENT_INPUT, { text: '12027-10-31T12:00' }].map((input) => parseToIso(input))).to.deep.equal([
      'empty',
      'invalid',
    ]);
  });
});
