/** A commit's subject as Conventional Commits 1.0 reads it. */
export interface ConventionalCommit {
  /** In small letters; `null` where the subject does not follow the convention. */
  readonly type: string | null;
  readonly scope: string | null;
  readonly breaking: boolean;
  readonly description: string;
}

const SUBJECT = /^([A-Za-z]{1,20})(?:\(([^()]{1,100})\))?(!)?:\s+(\S.*)$/;
const BREAKING_FOOTER = /^BREAKING[ -]CHANGE: /m;

export function parseSubject(subject: string, body = ''): ConventionalCommit {
  const footer = BREAKING_FOOTER.test(body);
  const match = SUBJECT.exec(subject);
  if (match === null) return { type: null, scope: null, breaking: footer, description: subject };
  const [, type = '', scope, mark, description = ''] = match;
  return {
    type: type.toLowerCase(),
    scope: scope?.trim() ?? null,
    breaking: footer || mark !== undefined,
    description,
  };
}
