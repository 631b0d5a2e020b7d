import { isRetryableFailure, TerminalFailure } from '@countersign/core/plugin';
import type { Repository } from './repository.js';

/**
 * Accepted revisions: names of branches and tags, and commit ids, optionally followed by `~` or `^`. Excludes `..`,
 * `@{…}`, `:path` and options.
 */
const REVISION_PATTERN = /^[A-Za-z0-9](?:[A-Za-z0-9_+/~^-]|\.(?!\.)){0,199}$/;
const COMMIT_ID_PATTERN = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * Range to release: all commits in `to` that are not in `from`. Contains full commit ids, so that it does not change
 * when a branch or tag moves.
 */
export interface CommitRange {
  readonly from: string;
  readonly to: string;
}

export async function resolveRange(repository: Repository, from: string, to: string): Promise<CommitRange> {
  return { from: await resolveCommit(repository, from), to: await resolveCommit(repository, to) };
}

async function resolveCommit(repository: Repository, revision: string): Promise<string> {
  if (!REVISION_PATTERN.test(revision)) {
    const message = `"${revision.slice(0, 200)}" is not a valid revision. Use a tag, a branch or a commit id, optionally followed by ~ or ^.`;
    throw new TerminalFailure('revision_invalid', message);
  }
  let id: string;
  try {
    id = await repository.gitText(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  } catch (error) {
    if (!isRetryableFailure(error) || error.code !== 'git_failed') throw error;
    const isShallow = (await repository.gitText(['rev-parse', '--is-shallow-repository'])) === 'true';
    const hint = isShallow
      ? ' The repository is a shallow clone: run "git fetch --unshallow" to fetch the rest of its history.'
      : '';
    throw new TerminalFailure('revision_not_found', `The repository has no commit "${revision}".${hint}`, {
      cause: error,
    });
  }
  if (COMMIT_ID_PATTERN.test(id)) return id;
  throw new TerminalFailure('revision_not_found', `"${revision}" does not identify a single commit.`);
}
