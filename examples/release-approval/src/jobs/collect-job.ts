import { inject, injectable } from 'inversify';
import { z } from 'zod';
import type { Job, JobHandlerContribution, JsonObject } from '@countersign/core/plugin';
import { ReleaseApprovalConfig } from '../config.js';
import { countMissingCommits, readCommits, type Commit } from '../git/read-commits.js';
import { readChangedFiles, readPatch, type ChangedFile } from '../git/read-changed-files.js';
import { RepositoryAccess } from '../git/repository-access.js';
import { resolveRange } from '../git/resolve-range.js';
import { toOneLine } from '../text.js';
import { readInputs } from './read-inputs.js';

const InputsSchema = z.object({ repository: z.string(), from: z.string(), to: z.string() });

/** Maximum number of commits, and of files, shown to the approver. The artifacts contain all of them. */
const MAX_SHOWN_ITEMS = 50;

/**
 * Collects the commits and the diff of a range. Revisions are resolved to commit ids here and do not change afterwards.
 */
@injectable()
export class CollectJob implements JobHandlerContribution {
  readonly jobType = 'release-approval.collect';

  constructor(
    @inject(RepositoryAccess) private readonly access: RepositoryAccess,
    @inject(ReleaseApprovalConfig) private readonly config: ReleaseApprovalConfig,
  ) {}

  async execute(job: Job): Promise<JsonObject> {
    const { repository: path, from, to } = readInputs(job, InputsSchema);
    const repository = await this.access.open(path, job.signal);
    const range = await resolveRange(repository, from, to);
    const commits = await readCommits(repository, range, this.config.maxCommits);
    const files = await readChangedFiles(repository, range);
    const patch = await readPatch(repository, range, this.config.maxDiffBytes);
    const missingCommits = await countMissingCommits(repository, range);
    await job.putArtifact(
      'commits.json',
      `${JSON.stringify({ range, commits, files }, null, 2)}\n`,
      'application/json',
    );
    await job.putArtifact('diff.patch', patch, 'text/x-diff');
    return {
      changes: {
        repository: path,
        from: { revision: from, commit: range.from },
        to: { revision: to, commit: range.to },
        totals: {
          commits: commits.length,
          missingCommits,
          files: files.length,
          added: sum(files, 'added'),
          removed: sum(files, 'removed'),
        },
        commits: commits.slice(0, MAX_SHOWN_ITEMS).map(summarizeCommit),
        files: sortByChangedLines(files).slice(0, MAX_SHOWN_ITEMS).map(summarizeFile),
      },
    };
  }
}

function sum(files: readonly ChangedFile[], field: 'added' | 'removed'): number {
  return files.reduce((total, file) => total + (file[field] ?? 0), 0);
}

function sortByChangedLines(files: readonly ChangedFile[]): ChangedFile[] {
  const countChangedLines = ({ added, removed }: ChangedFile): number => (added ?? 0) + (removed ?? 0);
  return [...files].sort((a, b) => countChangedLines(b) - countChangedLines(a));
}

function summarizeCommit({ id, subject, author, authoredAt }: Commit): JsonObject {
  return { commit: id.slice(0, 10), subject: toOneLine(subject, 200), author: toOneLine(author, 100), authoredAt };
}

function summarizeFile({ path, status, added, removed }: ChangedFile): JsonObject {
  return { path: toOneLine(path, 200), status, added, removed };
}
