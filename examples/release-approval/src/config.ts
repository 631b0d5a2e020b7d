import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { duration, filePath } from '@countersign/core/plugin';

/** Section `Examples:ReleaseApproval`. */
export const ReleaseApprovalConfigSchema = z.object({
  Examples: z.object({
    ReleaseApproval: z.object({
      RepositoryRoots: z
        .array(filePath())
        .default([])
        .describe(
          'Folders whose git repositories the example may read. Without a folder, every run of the example stops with an incident that gives the reason.',
        ),
      GitTimeout: duration().prefault('PT30S').describe('Time limit of one git command.'),
      MaxCommits: z
        .int()
        .min(1)
        .max(5000)
        .default(1000)
        .describe('Maximum number of commits in a range. A larger range is refused.'),
      MaxDiffBytes: z
        .int()
        .min(1)
        .max(100_000_000)
        .default(10_000_000)
        .describe('Maximum size of the diff in bytes. A larger diff is refused, because no one could review it.'),
    }),
  }),
});

/** Configuration of the job handlers. */
export interface ReleaseApprovalConfig {
  readonly repositoryRoots: readonly string[];
  readonly gitTimeoutMs: number;
  readonly maxCommits: number;
  readonly maxDiffBytes: number;
}

export const ReleaseApprovalConfig: ServiceIdentifier<ReleaseApprovalConfig> = Symbol.for(
  '@countersign/example-release-approval:Config',
);

export function toConfig({ Examples }: z.infer<typeof ReleaseApprovalConfigSchema>): ReleaseApprovalConfig {
  const { RepositoryRoots, GitTimeout, MaxCommits, MaxDiffBytes } = Examples.ReleaseApproval;
  return {
    repositoryRoots: RepositoryRoots,
    gitTimeoutMs: GitTimeout,
    maxCommits: MaxCommits,
    maxDiffBytes: MaxDiffBytes,
  };
}
