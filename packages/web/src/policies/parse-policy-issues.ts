/** Issue that makes a draft policy invalid. */
export interface PolicyIssue {
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 1. */
  readonly column: number;
  readonly message: string;
}

/** Parses the issues in the detail of a refused policy, for example `tools.cedar:3:14: unexpected token`. */
export function parsePolicyIssues(detail: string): readonly PolicyIssue[] {
  return [...detail.matchAll(/([A-Za-z0-9._-]+\.cedar(?:schema)?):(\d+):(\d+): ([^\n]*)/g)].map(
    ([, file = '', line, column, message = '']) => ({ file, line: Number(line), column: Number(column), message }),
  );
}

/**
 * Returns the offset of the start of a line, from 0, or the length of the text if there is no such line.
 *
 * @param line line number, from 1
 */
export function getLineOffset(text: string, line: number): number {
  let offset = 0;
  for (let currentLine = 1; currentLine < line; currentLine++) {
    const next = text.indexOf('\n', offset);
    if (next < 0) return text.length;
    offset = next + 1;
  }
  return offset;
}
