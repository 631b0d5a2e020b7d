import { inject, injectable } from 'inversify';
import { z } from 'zod';
import type { Job, JobHandlerContribution, JsonObject } from '@countersign/core/plugin';
import { ReleaseApprovalConfig } from '../config.js';
import { countMissingCommits, readCommits } from '../git/read-commits.js';
import { readChangedFiles } from '../git/read-changed-files.js';
import { RepositoryAccess } from '../git/repository-access.js';
import { assessRisk } from '../risk/assess-risk.js';
import { ChangesSchema, readInputs } from './read-inputs.js';

const InputsSchema = z.object({ changes: ChangesSchema });

/**
 * Determines the risk factors. Reads the repository again by commit id, because the lists in the variables of the run
 * are truncated and may omit the cause of a factor.
 */
@injectable()
export class AssessJob implements JobHandlerContribution {
  readonly jobType = 'release-approval.assess';

  constructor(
    @inject(RepositoryAccess) private readonly access: RepositoryAccess,
    @inject(ReleaseApprovalConfig) private readonly config: ReleaseApprovalConfig,
  ) {}

  async execute(job: Job): Promise<JsonObject> {
    const { changes } = readInputs(job, InputsSchema);
    const repository = await this.access.open(changes.repository, job.signal);
    const range = { from: changes.from.commit, to: changes.to.commit };
    const factors = assessRisk({
      commits: await readCommits(repository, range, this.config.maxCommits),
      files: await readChangedFiles(repository, range),
      missingCommits: await countMissingCommits(repository, range),
    });
    return { riskFactors: factors.map((factor) => ({ ...factor })) };
  }
}
