import { TerminalFailure } from '@countersign/core/plugin';
import { toOneLine } from '../text.js';
import type { Repository } from './repository.js';
import type { CommitRange } from './resolve-range.js';

export interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** RFC 3339, UTC. */
  readonly authoredAt: string;
  readonly subject: string;
  readonly body: string;
}

// Fields end with NUL, which no commit message can contain. Email addresses of people are left out, because they are
// not needed.
const FIELDS = ['%H', '%P', '%an', '%at', '%s', '%b'];

/** Returns the commits of a range, newest first, with parents after their children. */
export async function readCommits(
  repository: Repository,
  { from, to }: CommitRange,
  maxCommits: number,
): Promise<Commit[]> {
  const output = await repository.gitText([
    'log',
    `--max-count=${maxCommits + 1}`,
    '--topo-order',
    '-z',
    `--format=tformat:${FIELDS.join('%x00')}`,
    '--encoding=UTF-8',
    '--no-show-signature',
    '--no-notes',
    '--no-mailmap',
    '--no-color',
    '--no-patch',
    '--end-of-options',
    `${from}..${to}`,
    '--',
  ]);
  const fields = output.split('\0');
  const commits: Commit[] = [];
  for (let offset = 0; offset + FIELDS.length <= fields.length; offset += FIELDS.length) {
    commits.push(toCommit(fields.slice(offset, offset + FIELDS.length)));
  }
  if (commits.length <= maxCommits) return commits;
  const message = `The range has more than ${maxCommits} commits (Examples:ReleaseApproval:MaxCommits). Choose a smaller range.`;
  throw new TerminalFailure('too_many_commits', message);
}

function toCommit([id = '', parents = '', author = '', time = '', subject = '', body = '']: readonly string[]): Commit {
  return {
    id,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author: toOneLine(author, 200),
    authoredAt: toTimestamp(Number(time)),
    subject: toOneLine(subject, 500),
    body: body.trim(),
  };
}

/**
 * Converts the author time of a commit. Authors can set any number, so a number that is not a valid date becomes the
 * epoch.
 */
function toTimestamp(seconds: number): string {
  const date = new Date(seconds * 1000);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}

/** Returns the number of commits in `from` that `to` does not contain: 0 if `to` builds on `from`. */
export async function countMissingCommits(repository: Repository, { from, to }: CommitRange): Promise<number> {
  return Number(await repository.gitText(['rev-list', '--count', '--end-of-options', `${to}..${from}`, '--']));
}
