/** A commit message, parsed according to Conventional Commits 1.0. */
export interface ConventionalCommit {
  /** In lower case; `null` if the subject does not follow the convention. */
  readonly type: string | null;
  readonly scope: string | null;
  readonly breaking: boolean;
  readonly description: string;
}

const SUBJECT_PATTERN = /^([A-Za-z]{1,20})(?:\(([^()]{1,100})\))?(!)?:\s+(\S.*)$/;
const BREAKING_FOOTER = /^BREAKING[ -]CHANGE: /m;

export function parseConventionalCommit(subject: string, body = ''): ConventionalCommit {
  const hasBreakingFooter = BREAKING_FOOTER.test(body);
  const match = SUBJECT_PATTERN.exec(subject);
  if (match === null) return { type: null, scope: null, breaking: hasBreakingFooter, description: subject };
  const [, type = '', scope, breakingMark, description = ''] = match;
  return {
    type: type.toLowerCase(),
    scope: scope?.trim() ?? null,
    breaking: hasBreakingFooter || breakingMark !== undefined,
    description,
  };
}
