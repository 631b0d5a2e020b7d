import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { duration, filePath } from '@countersign/core/plugin';

/** Section `Examples:ReleaseApproval`. */
export const ReleaseApprovalConfigSchema = z.object({
  Examples: z
    .object({
      ReleaseApproval: z
        .object({
          /**
           * Folders whose git repositories may be read. None by default: then every run of the example fails, and says
           * why.
           */
          RepositoryRoots: z.array(filePath()).default([]),
          /** How long one call of git may take. */
          GitTimeout: duration().prefault('PT30S'),
          /** More commits in one range than this are refused. */
          MaxCommits: z.number().int().min(1).max(5000).default(1000),
          /** A larger diff is refused: nobody would read it. */
          MaxDiffBytes: z.number().int().min(1).max(100_000_000).default(10_000_000),
        })
        .prefault({}),
    })
    .prefault({}),
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
