const plural = new Intl.PluralRules('en');

/** `1 run`, `2 runs`. */
export function count(n: number, one: string, other: string): string {
  return `${n.toLocaleString('en')} ${plural.select(n) === 'one' ? one : other}`;
}
