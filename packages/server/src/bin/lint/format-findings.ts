import type { LocatedFinding } from './lint-files.js';

export interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

export function summarizeFindings(findings: readonly LocatedFinding[], files: number): Summary {
  const count = (severity: LocatedFinding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return { files, errors: count('error'), warnings: count('warning'), infos: count('info') };
}

/** Formats one line per finding, in the style of compilers, and a summary line. */
export function formatText(findings: readonly LocatedFinding[], summary: Summary): string {
  return [...findings.map(formatFinding), formatSummary(summary)].map((line) => `${line}\n`).join('');
}

function formatFinding({ file, line, column, severity, rule, elementId, message }: LocatedFinding): string {
  const location = [file, line, column].filter((part) => part !== null).join(':');
  return `${location} ${severity} ${rule}${elementId === null ? '' : ` ${elementId}`} ${message.replaceAll(/\s+/g, ' ')}`;
}

function formatSummary({ files, errors, warnings, infos }: Summary): string {
  const pluralize = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
  return `${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}, ${infos} informational in ${pluralize(files, 'file')}.`;
}

export function formatJson(findings: readonly LocatedFinding[], summary: Summary): string {
  return `${JSON.stringify({ findings, summary }, null, 2)}\n`;
}
