/** Problem in a policy or schema file. */
export interface PolicyIssue {
  readonly file: string;
  /** From 1; `null` if the issue concerns the whole file. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** Thrown when policies cannot be put in force, with all their issues. */
export class PolicyInvalidError extends Error {
  readonly code = 'policy_invalid';

  constructor(readonly issues: readonly PolicyIssue[]) {
    super(`The policies cannot be used:\n${issues.map((issue) => `  ${describeIssue(issue)}`).join('\n')}`);
    this.name = 'PolicyInvalidError';
  }
}

/** Formats an issue as compilers do: `file:line:column: message`. */
export function describeIssue({ file, line, column, message }: PolicyIssue): string {
  const position = line === null ? '' : column === null ? `:${line}` : `:${line}:${column}`;
  return `${file}${position}: ${message}`;
}
