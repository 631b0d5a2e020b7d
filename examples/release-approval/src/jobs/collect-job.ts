import { inject, injectable } from 'inversify';
import { z } from 'zod';
import type { Job, JobHandlerContribution, JsonObject } from '@countersign/core/plugin';
import { ReleaseApprovalConfig } from '../config.js';
import { countMissing, readCommits, type Commit } from '../git/read-commits.js';
import { readChangedFiles, readPatch, type ChangedFile } from '../git/read-changed-files.js';
import { RepositoryAccess } from '../git/repository-access.js';
import { resolveRange } from '../git/resolve-range.js';
import { oneLine } from '../text.js';
import { readInputs } from './read-inputs.js';

const Inputs = z.object({ repository: z.string(), from: z.string(), to: z.string() });

/** So many are shown to the approver; the artifacts hold all. */
const SHOWN = 50;

/** Collects the commits and the diff of a range. Revisions become commit ids here, and stay what they are from then on. */
@injectable()
export class CollectJob implements JobHandlerContribution {
  readonly jobType = 'release-approval.collect';

  constructor(
    @inject(RepositoryAccess) private readonly access: RepositoryAccess,
    @inject(ReleaseApprovalConfig) private readonly config: ReleaseApprovalConfig,
  ) {}

  async execute(job: Job): Promise<JsonObject> {
    const { repository: path, from, to } = readInputs(job, Inputs);
    const repository = await this.access.open(path, job.signal);
    const range = await resolveRange(repository, from, to);
    const commits = await readCommits(repository, range, this.config.maxCommits);
    const files = await readChangedFiles(repository, range);
    const patch = await readPatch(repository, range, this.config.maxDiffBytes);
    const missing = await countMissing(repository, range);
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
          missingCommits: missing,
          files: files.length,
          added: sum(files, 'added'),
          removed: sum(files, 'removed'),
        },
        commits: commits.slice(0, SHOWN).map(shownCommit),
        files: largestFirst(files).slice(0, SHOWN).map(shownFile),
      },
    };
  }
}

function sum(files: readonly ChangedFile[], lines: 'added' | 'removed'): number {
  return files.reduce((total, file) => total + (file[lines] ?? 0), 0);
}

function largestFirst(files: readonly ChangedFile[]): ChangedFile[] {
  const size = ({ added, removed }: ChangedFile): number => (added ?? 0) + (removed ?? 0);
  return [...files].sort((a, b) => size(b) - size(a));
}

function shownCommit({ id, subject, author, authoredAt }: Commit): JsonObject {
  return { commit: id.slice(0, 10), subject: oneLine(subject, 200), author: oneLine(author, 100), authoredAt };
}

function shownFile({ path, status, added, removed }: ChangedFile): JsonObject {
  return { path: oneLine(path, 200), status, added, removed };
}
