/** Millionths of a currency that nobody names here, with as many digits as say something. */
export function formatCost(micros: number): string {
  const cost = micros / 1_000_000;
  return cost.toLocaleString('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: cost !== 0 && Math.abs(cost) < 0.1 ? 6 : 2,
  });
}
