import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

/** Section `Examples:ReleaseApproval`. */
export const ReleaseApprovalConfigSchema = z.object({
  Examples: z
    .object({
      ReleaseApproval: z
        .object({
          /**
           * Folders whose git repositories may be read; relative ones are relative to the folder where the server was
           * started. None by default: then every run of the example fails, and says why.
           */
          RepositoryRoots: z.array(z.string().trim().min(1)).default([]),
          /** How long one call of git may take. */
          GitTimeoutSeconds: z.coerce.number().int().min(1).max(600).default(30),
          /** More commits in one range than this are refused. */
          MaxCommits: z.coerce.number().int().min(1).max(5000).default(1000),
          /** A larger diff is refused: nobody would read it. */
          MaxDiffBytes: z.coerce.number().int().min(1).max(100_000_000).default(10_000_000),
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
  const { RepositoryRoots, GitTimeoutSeconds, MaxCommits, MaxDiffBytes } = Examples.ReleaseApproval;
  return {
    repositoryRoots: RepositoryRoots,
    gitTimeoutMs: GitTimeoutSeconds * 1000,
    maxCommits: MaxCommits,
    maxDiffBytes: MaxDiffBytes,
  };
}
