/** Where a draft can't be read. */
export interface PolicyIssue {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly message: string;
}

/** The places that a refusal of a policy names: `tools.cedar:3:14: unexpected token`. */
export function policyFaults(detail: string): readonly PolicyIssue[] {
  return [...detail.matchAll(/([A-Za-z0-9._-]+\.cedar(?:schema)?):(\d+):(\d+): ([^\n]*)/g)].map(
    ([, file = '', line, column, message = '']) => ({ file, line: Number(line), column: Number(column), message }),
  );
}

/** Where a line begins in a text, counted from 0; behind the last one its end. @param line from 1. */
export function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', offset);
    if (next < 0) return text.length;
    offset = next + 1;
  }
  return offset;
}
