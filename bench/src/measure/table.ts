import { median } from './statistics.js';

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Formats a Markdown table, aligned for a terminal: the first column to the left, figures to the right. */
export function formatTable({ title, columns, rows }: Table): string {
  const widths = columns.map((column, index) => Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, index) => (index === 0 ? (cells[index] ?? '').padEnd(width) : (cells[index] ?? '').padStart(width))).join(' | ')} |`;
  const rule = `|${widths.map((width, index) => (index === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [title, '', line(columns), rule, ...rows.map(line)].join('\n');
}

/** Formats a figure with a number of decimals, or as a dash if it could not be measured. */
export function formatNumber(value: number | undefined, digits = 0): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  const text = value.toFixed(digits);
  return digits === 0 ? text.replace(/\B(?=(\d{3})+$)/g, ',') : text;
}

export function formatRange(values: readonly number[], digits = 0): string {
  return `${formatNumber(Math.min(...values), digits)} – ${formatNumber(Math.max(...values), digits)}`;
}

/** Formats the median of shares as a percentage, with their spread. */
export function formatShares(shares: readonly number[]): string {
  return `${formatNumber(median(shares) * 100, 1)} % (${formatRange(
    shares.map((share) => share * 100),
    1,
  )})`;
}
