import { expect } from 'chai';
import { compileExpression } from './index.js';
import { evaluate } from './zeebe-cases.spec.support.js';

const CASES: Readonly<Record<string, readonly (readonly [expression: string, expected: string | null])[]>> = {
  'group digits, and show the usual fraction digits of the currency': [
    ['format money(292600, "CZK")', 'CZK 292,600.00'],
    ['format money(76.1, "EUR")', 'EUR 76.10'],
    ['format money(999, "USD")', 'USD 999.00'],
    ['format money(1000, "USD")', 'USD 1,000.00'],
    ['format money(896000, "JPY")', 'JPY 896,000'],
    ['format money(1.5, "KWD")', 'KWD 1.500'],
    ['format money(0, "EUR")', 'EUR 0.00'],
    ['format money(-1234567.8, "EUR")', '-EUR 1,234,567.80'],
  ],
  'keep all digits': [
    ['format money(0.005, "EUR")', 'EUR 0.005'],
    ['format money(12.5, "JPY")', 'JPY 12.5'],
    ['format money(number("9007199254740993.01"), "EUR")', 'EUR 9,007,199,254,740,993.01'],
    ['format money(number("1E21"), "EUR")', 'EUR 1,000,000,000,000,000,000,000.00'],
    ['format money(number("1E-9"), "EUR")', 'EUR 0.000000001'],
  ],
  'accept amounts without a currency code': [
    ['format money(1200.5)', '1,200.5'],
    ['format money(1200, null)', '1,200'],
    ['format money(1200, "")', '1,200'],
    ['format money(1200, "points")', '1,200 points'],
    ['format money(amount: 1200, currency: "EUR")', 'EUR 1,200.00'],
  ],
  'return null for what is not an amount or a currency': [
    ['format money("1200", "EUR")', null],
    ['format money(null, "EUR")', null],
    ['format money(1200, 978)', null],
  ],
};

describe('FEEL: format money()', () => {
  for (const [description, cases] of Object.entries(CASES)) {
    it(`should ${description}`, () => {
      for (const [expression, expected] of cases) expect(evaluate(expression), expression).to.equal(expected);
    });
  }

  it('should be part of a text', () => {
    expect(evaluate('"Pay " + format money(138600, "CZK") + " to " + "Žižka"')).to.equal('Pay CZK 138,600.00 to Žižka');
  });

  it('should be suggested for similar names', () => {
    expect(() => compileExpression('formatMoney(1, "EUR")')).to.throw('did you mean format money()?');
  });
});
