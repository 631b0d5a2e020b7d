import type { ConnectorCall, ConnectorContribution } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { CodehostClient, type CodehostApi } from './codehost-client.js';
import { readErrorResponse } from './failures.js';
import { branchSchema, repositorySchema, splitFullName } from './inputs.js';
import { hasMark, appendMark } from './marker.js';
import { searchPages } from './search-pages.js';

export const PullRequestInput = z.strictObject({
  repository: repositorySchema(),
  head: branchSchema().meta({ title: 'From', description: 'The branch with the changes, in the same repository.' }),
  base: branchSchema().meta({ title: 'To', description: 'The branch to merge the changes into, such as main.' }),
  title: z.string().min(1).max(255).meta({ title: 'Title' }),
  body: z
    .string()
    .max(60_000)
    .default('')
    .meta({ title: 'Text', description: 'Text of the pull request, in Markdown.', multiline: true }),
  draft: z
    .boolean()
    .default(false)
    .meta({ title: 'Draft', description: 'Gitea and Forgejo use a title prefix instead: WIP: …' }),
});
export const PullRequestOutput = z.object({
  number: z.int(),
  url: z.string(),
  /** Whether this attempt opened the pull request. An earlier attempt or another user may have done so. */
  created: z.boolean(),
});
export type PullRequestInput = z.output<typeof PullRequestInput>;
export type PullRequestOutput = z.output<typeof PullRequestOutput>;

/** Opens a pull request, unless this call has already opened one or an open one exists between the same branches. */
@injectable()
export class PullRequestConnector implements ConnectorContribution<typeof PullRequestInput, typeof PullRequestOutput> {
  readonly id = 'countersign.codehost.pullRequest';
  readonly title = 'Open a pull request';
  readonly description =
    'Opens a pull request on GitHub, Gitea or Forgejo. If one is already open between the branches, returns that one.';
  readonly jobType = 'codehost.pullRequest';
  readonly version = 1;
  readonly effect = 'write';
  readonly input = PullRequestInput;
  readonly output = PullRequestOutput;

  constructor(@inject(CodehostClient) private readonly client: CodehostClient) {}

  hosts(): readonly string[] {
    return this.client.hosts();
  }

  call(input: PullRequestInput, call: ConnectorCall): Promise<PullRequestOutput> {
    const { head, base, title, draft } = input;
    const body = appendMark(input.body, call.idempotencyKey);
    return this.client.use(call, async (api) => {
      const repositoryParameters = splitFullName(input.repository);
      const existing = await find(api, repositoryParameters, input, call.idempotencyKey);
      if (existing !== undefined) return existing;
      try {
        const { data } = await api.request('POST /repos/{owner}/{repo}/pulls', {
          ...repositoryParameters,
          head,
          base,
          title,
          body,
          draft,
        });
        return { number: data.number, url: data.html_url, created: true };
      } catch (error) {
        // Another writer, such as another attempt of this call, may have opened the pull request first. GitHub then
        // responds with 422, Gitea with 409.
        const status = readErrorResponse(error)?.status;
        const concurrentPullRequest =
          status === 422 || status === 409
            ? await find(api, repositoryParameters, input, call.idempotencyKey)
            : undefined;
        if (concurrentPullRequest === undefined) throw error;
        return concurrentPullRequest;
      }
    });
  }

  /** Returns the pull request that an earlier attempt of the call opened, or an open one between the same branches. */
  find(
    input: PullRequestInput,
    call: Pick<ConnectorCall, 'idempotencyKey' | 'signal'>,
  ): Promise<PullRequestOutput | undefined> {
    return this.client.use(call, (api) => find(api, splitFullName(input.repository), input, call.idempotencyKey));
  }
}

/**
 * Searches the newest pull requests first, because the search usually follows shortly after the creation. Hosts that
 * cannot filter by `head` and `base` return all pull requests.
 */
async function find(
  api: CodehostApi,
  repositoryParameters: { owner: string; repo: string },
  { head, base }: PullRequestInput,
  key: string,
): Promise<PullRequestOutput | undefined> {
  const pages = api.paginate.iterator('GET /repos/{owner}/{repo}/pulls', {
    ...repositoryParameters,
    state: 'all',
    head: `${repositoryParameters.owner}:${head}`,
    base,
    sort: 'created',
    direction: 'desc',
    per_page: 50,
  });
  const foundPullRequest = await searchPages(
    pages,
    (pulls) => {
      const pullRequestsBetweenBranches = pulls.filter(
        (pull) =>
          pull.head.ref === head && pull.base.ref === base && isFromRepository(pull.head.repo, repositoryParameters),
      );
      return (
        pullRequestsBetweenBranches.find(({ body }) => hasMark(body, key)) ??
        pullRequestsBetweenBranches.find(({ state }) => state === 'open')
      );
    },
    'There are too many pull requests to determine whether this one was already opened.',
  );
  return foundPullRequest === undefined
    ? undefined
    : { number: foundPullRequest.number, url: foundPullRequest.html_url, created: false };
}

/** Returns whether a pull request is from the repository itself. A fork may have a branch with the same name. */
function isFromRepository(
  repo: { readonly full_name: string } | null,
  { owner, repo: name }: { owner: string; repo: string },
): boolean {
  return repo?.full_name.toLowerCase() === `${owner}/${name}`.toLowerCase();
}
