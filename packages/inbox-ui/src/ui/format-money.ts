/**
 * Formats an amount of money, such as `EUR 1,200.50`: with all its digits, and with the code of the currency, because
 * several currencies share a symbol.
 *
 * @param currency ISO 4217 code; if omitted, only the number is formatted
 * @returns `undefined` if the value is not an amount, or the currency is not a code
 */
export function formatMoney(value: unknown, currency: string | undefined): string | undefined {
  const amount = typeof value === 'number' ? String(value) : value;
  if (typeof amount !== 'string' || !/^-?\d{1,30}(?:\.\d{1,18})?$/.test(amount)) return undefined;
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) return undefined;
  const style = currency === undefined ? {} : ({ style: 'currency', currency, currencyDisplay: 'code' } as const);
  const digits = amount.split('.')[1]?.length ?? 0;
  const { minimumFractionDigits = 0 } = new Intl.NumberFormat('en', style).resolvedOptions();
  const format = new Intl.NumberFormat('en', {
    ...style,
    minimumFractionDigits: Math.max(digits, minimumFractionDigits),
    maximumFractionDigits: 20,
  });
  // The text of an amount is exact, unlike its number.
  return format.format(amount as unknown as number);
}
