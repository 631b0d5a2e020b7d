/** Milliseconds of so many seconds as they are measured on this machine, as `seconds` of `@countersign/testing`, which stands above this package. */
export function seconds(count: number): number {
  return count * Number(process.env['COUNTERSIGN_TEST_SECOND_MS'] ?? '1000');
}
