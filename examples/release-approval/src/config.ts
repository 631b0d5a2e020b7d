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
          'Folders whose git repositories may be read. None by default: then every run of the example stops, and says why.',
        ),
      GitTimeout: duration().prefault('PT30S').describe('How long one call of git may take.'),
      MaxCommits: z.int().min(1).max(5000).default(1000).describe('More commits in one range than this are refused.'),
      MaxDiffBytes: z
        .int()
        .min(1)
        .max(100_000_000)
        .default(10_000_000)
        .describe('A larger diff is refused: nobody would read it.'),
    }),
  }),
});

/** What the jobs are told of the configuration. */
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
