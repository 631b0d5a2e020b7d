import { expect } from 'chai';
import { compileExpression, FeelLimitError, type FeelLimits } from './index.js';
import { evaluate } from './zeebe-cases.spec.support.js';

/** Currencies with other than two fraction digits in Unicode CLDR 48. */
const WITHOUT_FRACTION =
  'AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG RWF SLL SOS SYP UGX VND VUV XAF XOF XPF YER'.split(
    ' ',
  );
const WITH_THREE_DIGITS = 'BHD JOD KWD LYD OMR TND'.split(' ');

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

  it('should show the same fraction digits forever, because digests cover the text', () => {
    const countDigits = (code: string): number =>
      String(evaluate(`format money(1, "${code}")`)).replace(`${code} 1`, '').length;
    for (const code of WITHOUT_FRACTION) expect(countDigits(code), code).to.equal(0);
    for (const code of WITH_THREE_DIGITS) expect(countDigits(code), code).to.equal('.000'.length);
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((one) => letters.flatMap((two) => letters.map((three) => one + two + three)));
    expect(codes.filter((code) => countDigits(code) !== '.00'.length).sort()).to.deep.equal(
      [...WITHOUT_FRACTION, ...WITH_THREE_DIGITS].sort(),
    );
  });

  it('should count the digits that it reads and the text that it writes against the limits', () => {
    const digits = 301;
    const run = (limits: Partial<FeelLimits>) => () =>
      compileExpression('string length(format money(amount))').evaluate({
        variables: new Map([['amount', 10 ** (digits - 1)]]),
        now: 0,
        limits,
      });
    const length = digits + Math.floor((digits - 1) / 3);
    expect(run({ size: length })()).to.equal(length);
    expect(run({ size: length - 1 }))
      .to.throw(FeelLimitError)
      .with.property('limit', 'size');
    const [reading, writing] = [2 + digits / 32, length / 32];
    expect(run({ steps: Math.ceil(reading + writing) })()).to.equal(length);
    expect(run({ steps: Math.floor(reading + writing) - 1 }))
      .to.throw(FeelLimitError)
      .with.property('limit', 'steps');
  });

  it('should show no sign of zero', () => {
    expect(evaluate('format money(amount, "EUR")', { amount: -0 })).to.equal('EUR 0.00');
  });

  it('should be part of a text', () => {
    expect(evaluate('"Pay " + format money(138600, "CZK") + " to " + "Žižka"')).to.equal('Pay CZK 138,600.00 to Žižka');
  });

  it('should be suggested for similar names', () => {
    expect(() => compileExpression('formatMoney(1, "EUR")')).to.throw('did you mean format money()?');
  });
});
