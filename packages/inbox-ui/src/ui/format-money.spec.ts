import { expect } from 'chai';
import { formatMoney } from './format-money.js';

describe('formatMoney', () => {
  it('should format an amount with the digits that its currency has', () => {
    expect(formatMoney(1200, 'EUR')).to.equal('€1,200.00');
    expect(formatMoney(-1200.5, 'USD')).to.equal('-$1,200.50');
    expect(formatMoney(1200, 'JPY')).to.equal('¥1,200');
    expect(formatMoney('1200', undefined)).to.equal('1,200');
  });

  it('should keep all digits of an amount', () => {
    expect(formatMoney(0.005, 'EUR')).to.equal('€0.005');
    expect(formatMoney('12345678901234567890.125', 'EUR')).to.equal('€12,345,678,901,234,567,890.125');
    expect(formatMoney('1200.50', undefined)).to.equal('1,200.50');
  });

  it('should name a currency without a symbol by its code', () => {
    expect(formatMoney(1, 'XYZ')).to.equal('XYZ\u00a01.00');
  });

  for (const value of ['', 'many', '1e9', '1,200', null, true, [1], { amount: 1 }])
    it(`should not format ${JSON.stringify(value)}, which is not an amount`, () => {
      expect(formatMoney(value, 'EUR')).to.equal(undefined);
    });
});
