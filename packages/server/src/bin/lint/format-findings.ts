import type { LocatedFinding } from './lint-files.js';

export interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

export function summaryOf(findings: readonly LocatedFinding[], files: number): Summary {
  const count = (severity: LocatedFinding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return { files, errors: count('error'), warnings: count('warning'), infos: count('info') };
}

/** Formats one line per finding, in the style of compilers, and a summary line. */
export function formatText(findings: readonly LocatedFinding[], summary: Summary): string {
  return [...findings.map(formatFinding), formatSummary(summary)].map((line) => `${line}\n`).join('');
}

function formatFinding({ file, line, column, severity, rule, elementId, message }: LocatedFinding): string {
  const place = [file, line, column].filter((part) => part !== null).join(':');
  return `${place} ${severity} ${rule}${elementId === null ? '' : ` ${elementId}`} ${message.replaceAll(/\s+/g, ' ')}`;
}

function formatSummary({ files, errors, warnings, infos }: Summary): string {
  const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
  return `${many(errors, 'error')}, ${many(warnings, 'warning')}, ${infos} for information in ${many(files, 'file')}.`;
}

export function formatJson(findings: readonly LocatedFinding[], summary: Summary): string {
  return `${JSON.stringify({ findings, summary }, null, 2)}\n`;
}
