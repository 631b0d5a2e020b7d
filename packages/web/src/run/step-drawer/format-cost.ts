/** Formats a cost in millionths of a currency unit with two fraction digits, or with up to six if it is small. */
export function formatCost(micros: number): string {
  const cost = micros / 1_000_000;
  return cost.toLocaleString('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: cost !== 0 && Math.abs(cost) < 0.1 ? 6 : 2,
  });
}
