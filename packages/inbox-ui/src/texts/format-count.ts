const plural = new Intl.PluralRules('en');

/** Formats a number with its noun: `1 run`, `2 runs`. */
export function formatCount(n: number, one: string, other: string): string {
  return `${n.toLocaleString('en')} ${plural.select(n) === 'one' ? one : other}`;
}
