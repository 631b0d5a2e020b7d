import { TerminalFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import { hasMark, marked, notBefore } from './marker.js';

const KEY = '019aa1b2-c3d4-7e5f-8abc-0123456789ab';

describe('the mark of a call', () => {
  it('should be found at the end of what was marked, and by its own key alone', () => {
    const text = marked('Oiled.', KEY);

    expect(hasMark(text, KEY)).to.equal(true);
    expect(hasMark(`${text}\n`, KEY)).to.equal(true);
    expect(hasMark(text, KEY.replace('b', 'c'))).to.equal(false);
    expect(hasMark('Oiled.', KEY)).to.equal(false);
    expect(hasMark(null, KEY)).to.equal(false);
  });

  it('should not count where somebody quotes it', () => {
    expect(hasMark(`> ${marked('Oiled.', KEY)}\n\nThanks!`, KEY)).to.equal(false);
  });

  it('should not be made of a key that could end it', () => {
    for (const key of ['', '-->', 'a b', 'a'.repeat(101)])
      expect(() => marked('x', key), key).to.throw(TerminalFailure);
  });

  it('should be looked for from an hour before the call was planned', () => {
    const planned = Number.parseInt('019aa1b2c3d4', 16);

    expect(notBefore(KEY)).to.equal(new Date(planned - 3_600_000).toISOString());
    expect(notBefore('00000000-0000-7000-8000-000000000000')).to.equal('1970-01-01T00:00:00.000Z');
    for (const key of ['2251799813685249', KEY.replace('-7', '-4'), ''])
      expect(notBefore(key), key).to.equal(undefined);
  });
});
