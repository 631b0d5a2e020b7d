/**
 * Formats an amount of money, such as `€1,200.50`. All digits are kept, because an approver decides on the exact amount.
 *
 * @param currency ISO 4217 code; if omitted, only the number is formatted
 * @returns `undefined` if the value is not an amount
 */
export function formatMoney(value: unknown, currency: string | undefined): string | undefined {
  const amount = typeof value === 'number' ? String(value) : value;
  if (typeof amount !== 'string' || !/^-?\d{1,30}(?:\.\d{1,18})?$/.test(amount)) return undefined;
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat('en', {
    ...(currency === undefined ? {} : { style: 'currency', currency }),
    maximumFractionDigits: 20,
  });
  const { minimumFractionDigits = 0 } = format.resolvedOptions();
  return new Intl.NumberFormat('en', {
    ...(currency === undefined ? {} : { style: 'currency', currency }),
    minimumFractionDigits: Math.max(digits, minimumFractionDigits),
    maximumFractionDigits: 20,
    // The text of an amount is exact, unlike its number.
  }).format(amount as unknown as number);
}
