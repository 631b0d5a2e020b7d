import { TerminalFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import { hasMark, appendMark, getEarliestCreationTime } from './marker.js';

const KEY = '019aa1b2-c3d4-7e5f-8abc-0123456789ab';

describe('the mark of a call', () => {
  it('should be found only at the end of a text and only with its own key', () => {
    const text = appendMark('Oiled.', KEY);

    expect(hasMark(text, KEY)).to.equal(true);
    expect(hasMark(`${text}\n`, KEY)).to.equal(true);
    expect(hasMark(text, KEY.replace('b', 'c'))).to.equal(false);
    expect(hasMark('Oiled.', KEY)).to.equal(false);
    expect(hasMark(null, KEY)).to.equal(false);
  });

  it('should not be found inside a quotation', () => {
    expect(hasMark(`> ${appendMark('Oiled.', KEY)}\n\nThanks!`, KEY)).to.equal(false);
  });

  it('should refuse a key that is empty, too long or has invalid characters', () => {
    for (const key of ['', '-->', 'a b', 'a'.repeat(101)])
      expect(() => appendMark('x', key), key).to.throw(TerminalFailure);
  });

  it('should be searched for from one hour before the call was planned', () => {
    const plannedAt = Number.parseInt('019aa1b2c3d4', 16);

    expect(getEarliestCreationTime(KEY)).to.equal(new Date(plannedAt - 3_600_000).toISOString());
    expect(getEarliestCreationTime('00000000-0000-7000-8000-000000000000')).to.equal('1970-01-01T00:00:00.000Z');
    for (const key of ['2251799813685249', KEY.replace('-7', '-4'), ''])
      expect(getEarliestCreationTime(key), key).to.equal(undefined);
  });
});
