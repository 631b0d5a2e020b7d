import { expect } from 'chai';
import { formatMoney } from './format-money.js';

describe('formatMoney', () => {
  it('should format an amount with the digits that its currency has', () => {
    expect(formatMoney(1200, 'EUR')).to.equal('EUR\u00a01,200.00');
    expect(formatMoney(-1200.5, 'USD')).to.equal('-USD\u00a01,200.50');
    expect(formatMoney(1200, 'JPY')).to.equal('JPY\u00a01,200');
    expect(formatMoney('1200', undefined)).to.equal('1,200');
  });

  it('should keep all digits of an amount', () => {
    expect(formatMoney(0.005, 'EUR')).to.equal('EUR\u00a00.005');
    expect(formatMoney('12345678901234567890.125', 'EUR')).to.equal('EUR\u00a012,345,678,901,234,567,890.125');
    expect(formatMoney('1200.50', undefined)).to.equal('1,200.50');
  });

  for (const currency of ['eur', '€', 'EURO', ''])
    it(`should not format an amount in ${JSON.stringify(currency)}, which is not a code`, () => {
      expect(formatMoney(1, currency)).to.equal(undefined);
    });

  for (const value of ['', 'many', '1e9', '1,200', null, true, [1], { amount: 1 }])
    it(`should not format ${JSON.stringify(value)}, which is not an amount`, () => {
      expect(formatMoney(value, 'EUR')).to.equal(undefined);
    });
});
