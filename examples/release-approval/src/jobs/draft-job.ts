import { createHash } from 'node:crypto';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import type { Job, JobHandlerContribution, JsonObject } from '@countersign/core/plugin';
import { ReleaseApprovalConfig } from '../config.js';
import { readCommits } from '../git/read-commits.js';
import { RepositoryAccess } from '../git/repository-access.js';
import { countExcluded, buildReleaseNotes } from '../notes/release-notes.js';
import { NO_REVIEW, ReviewSchema, applyComment, type Review } from '../notes/review.js';
import { ChangesSchema, readInputs } from './read-inputs.js';

const InputsSchema = z.object({
  changes: ChangesSchema,
  version: z.string().nullish(),
  /** Result of this job in the previous round. */
  review: ReviewSchema.nullish(),
  /** Decision of the approver in the previous round. Only the engine writes it. */
  approval: z.object({ decision: z.string(), comment: z.string().nullish(), round: z.number() }).nullish(),
});

/** Drafts the release notes and applies the changes that reviewers have requested since the last draft. */
@injectable()
export class DraftJob implements JobHandlerContribution {
  readonly jobType = 'release-approval.draft';

  constructor(
    @inject(RepositoryAccess) private readonly access: RepositoryAccess,
    @inject(ReleaseApprovalConfig) private readonly config: ReleaseApprovalConfig,
  ) {}

  async execute(job: Job): Promise<JsonObject> {
    const { changes, version, review: previousReview, approval } = readInputs(job, InputsSchema);
    const repository = await this.access.open(changes.repository, job.signal);
    const range = { from: changes.from.commit, to: changes.to.commit };
    const commits = await readCommits(repository, range, this.config.maxCommits);
    const review = applyApproval(previousReview ?? NO_REVIEW, approval ?? null);
    const notes = buildReleaseNotes({
      version: version ?? null,
      from: changes.from,
      to: changes.to,
      commits,
      review,
    });
    await job.putArtifact('release-notes.draft.md', notes, 'text/markdown; charset=utf-8');
    const sha256 = createHash('sha256').update(notes).digest('hex');
    return { draft: { notes, sha256, leftOut: countExcluded(commits, review) }, review };
  }
}

function applyApproval(review: Review, approval: z.infer<typeof InputsSchema>['approval'] | null): Review {
  return approval?.decision === 'request_changes'
    ? applyComment(review, approval.round, approval.comment ?? '')
    : review;
}
