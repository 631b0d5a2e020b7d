import { z } from 'zod';

const REPOSITORY_PATTERN = /^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/;
const REF_PATTERN = /^[^\s\p{Cc}\\~^:?*[]{1,255}$/u;

/** Schema of a repository. Its JSON Schema has no pattern, because the value may come from an expression. */
export const repositorySchema = () =>
  z
    .string()
    .refine((name) => REPOSITORY_PATTERN.test(name), 'Expected a repository such as owner/name.')
    .meta({ title: 'Repository', description: 'For example owner/name, or =codehost.repository.fullName.' });

export const branchSchema = () => z.string().refine((name) => REF_PATTERN.test(name), 'Expected the name of a branch.');

export const commitSchema = () =>
  z.string().refine((sha) => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha), 'Expected the full hash of a commit.');

/** Splits a full name into owner and name, as required by the API routes. */
export function splitFullName(fullName: string): { owner: string; repo: string } {
  const slash = fullName.indexOf('/');
  return { owner: fullName.slice(0, slash), repo: fullName.slice(slash + 1) };
}

/** Schema of the number of an issue or a pull request. */
export const issueNumberSchema = () =>
  z
    .int()
    .min(1)
    .meta({ title: 'Number', description: 'Number of the issue or pull request, such as =codehost.issue.number.' });

/** Schemas for agents, which do not write expressions. */
export const toolRepositorySchema = () =>
  repositorySchema().meta({ description: 'Full name of the repository, for example owner/name.' });

export const toolIssueNumberSchema = () =>
  issueNumberSchema().meta({ description: 'Number of the issue or pull request.' });

export const toolCommitSchema = () => commitSchema().meta({ description: 'Full commit hash (SHA).' });
