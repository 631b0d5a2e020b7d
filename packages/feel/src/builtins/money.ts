import type { EvaluationState } from '../budget.js';
import { isNumber, toDecimal } from '../numbers/decimal.js';
import { defineBuiltin, type Builtin } from './builtin.js';

const CURRENCY_CODE = /^[A-Z]{3}$/;

/**
 * Currencies that are displayed without or with three fraction digits; all others have two. The same as in Unicode CLDR
 * 48, by which clients display fields of the format `money`. Never change the list: digests of approvals cover texts
 * that contain the result.
 */
const FRACTION_DIGITS: ReadonlyMap<string, number> = new Map([
  ...(
    'AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG RWF SLL SOS SYP UGX VND' +
    ' VUV XAF XOF XPF YER'
  )
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

/**
 * Returns an amount with all its digits, groups of three digits and the currency, such as `EUR 1,200.50`. It depends on
 * nothing but the arguments: not on a locale, and not on the version of Node.js.
 *
 * @param currency an ISO 4217 code; other text follows the amount, as in `1,200 points`; null or omitted: none
 * @returns null if the amount is not a number, or the currency is not a string
 */
function formatMoney(state: EvaluationState, amount: unknown, currency: unknown): string | null {
  if (!isNumber(amount)) return null;
  if (currency !== undefined && currency !== null && typeof currency !== 'string') return null;
  const decimal = toDecimal(amount);
  const isCode = typeof currency === 'string' && CURRENCY_CODE.test(currency);
  const minDigits = isCode ? (FRACTION_DIGITS.get(currency) ?? 2) : 0;
  const [whole = '0', fraction = ''] = decimal.abs().toFixed().split('.');
  state.chargeScan(whole.length);
  const digits = fraction.padEnd(minDigits, '0');
  const grouped = `${groupDigits(whole)}${digits === '' ? '' : `.${digits}`}`;
  const sign = decimal.isNegative() && !decimal.isZero() ? '-' : '';
  const text =
    currency === undefined || currency === null || currency === ''
      ? `${sign}${grouped}`
      : isCode
        ? `${sign}${currency} ${grouped}`
        : `${sign}${grouped} ${currency}`;
  state.chargeSize(text.length);
  return text;
}

function groupDigits(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

export const moneyBuiltins: readonly Builtin[] = [defineBuiltin('format money', 'amount, currency?', formatMoney)];
