import { expect } from 'chai';
import { parseNumberText, formatNumberText } from './number-text.js';

describe('text of a number field', () => {
  it('should become a number if the number can be stored exactly', () => {
    for (const [typedText, value] of [
      ['12', 12],
      [' -0.50 ', -0.5],
      ['12.50', 12.5],
      ['\u22125', -5],
      ['\u00a05 ', 5],
      ['+.5', 0.5],
      ['1e3', 1000],
      ['9007199254740991', 9007199254740991],
      ['', undefined],
      ['  ', undefined],
    ] as const)
      expect(parseNumberText(typedText), typedText).to.equal(value);
  });

  it('should stay a string if it is not a number that can be stored exactly', () => {
    for (const typedText of [
      '9007199254740993',
      '1234567890123456789012',
      '1234567890123456.78',
      '1e400',
      '1e-400',
      '12,50',
      '12,000',
      '1 234',
      '1,234,567',
      '1.234,5',
      '0x10',
      '12 €',
      '-',
      'Infinity',
    ])
      expect(parseNumberText(typedText), typedText).to.equal(typedText);
  });

  it('should be parsed back to the value from which it was formatted', () => {
    for (const value of [12, -0.5, 1e21, 'abc', '9007199254740993']) {
      const text = formatNumberText(value);
      expect(parseNumberText(text)).to.equal(value);
    }
    expect(formatNumberText('5')).to.equal('"5"');
    for (const value of [undefined, null, [], {}]) expect(formatNumberText(value)).to.equal('');
  });
});
