/** Something that is wrong with policies. */
export interface PolicyIssue {
  readonly file: string;
  /** Counted from 1; `null`: it is about the whole file. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** Policies that can't be put in force, with all that is wrong with them. */
export class PolicyInvalidError extends Error {
  readonly code = 'policy_invalid';

  constructor(readonly faults: readonly PolicyIssue[]) {
    super(`The policies can't be used:\n${faults.map((fault) => `  ${describeFault(fault)}`).join('\n')}`);
    this.name = 'PolicyInvalidError';
  }
}

/** As compilers say it: `file:line:column: message`. */
export function describeFault({ file, line, column, message }: PolicyIssue): string {
  const place = line === null ? '' : column === null ? `:${line}` : `:${line}:${column}`;
  return `${file}${place}: ${message}`;
}
