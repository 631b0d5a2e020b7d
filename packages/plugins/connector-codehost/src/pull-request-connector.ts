import type { ConnectorCall, ConnectorContribution } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { CodehostClient, type CodehostApi } from './codehost-client.js';
import { refusalOf } from './failures.js';
import { branch, repository, split } from './inputs.js';
import { hasMark, marked } from './marker.js';
import { searchPages } from './search-pages.js';

export const PullRequestInput = z.strictObject({
  repository: repository(),
  head: branch().meta({ title: 'From', description: 'The branch with the changes, in the same repository.' }),
  base: branch().meta({ title: 'To', description: 'The branch to merge the changes into, such as main.' }),
  title: z.string().min(1).max(255).meta({ title: 'Title' }),
  body: z.string().max(60_000).default('').meta({ title: 'Text', description: 'Markdown.', multiline: true }),
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
    const body = marked(input.body, call.idempotencyKey);
    return this.client.use(call, async (api) => {
      const place = split(input.repository);
      const earlier = await find(api, place, input, call.idempotencyKey);
      if (earlier !== undefined) return earlier;
      try {
        const { data } = await api.request('POST /repos/{owner}/{repo}/pulls', {
          ...place,
          head,
          base,
          title,
          body,
          draft,
        });
        return { number: data.number, url: data.html_url, created: true };
      } catch (error) {
        // Another writer was faster, such as another attempt of this call. GitHub then responds with 422, Gitea with
        // 409.
        const status = refusalOf(error)?.status;
        const there = status === 422 || status === 409 ? await find(api, place, input, call.idempotencyKey) : undefined;
        if (there === undefined) throw error;
        return there;
      }
    });
  }

  /** Returns the pull request that an earlier attempt of the call opened, or an open one between the same branches. */
  find(
    input: PullRequestInput,
    call: Pick<ConnectorCall, 'idempotencyKey' | 'signal'>,
  ): Promise<PullRequestOutput | undefined> {
    return this.client.use(call, (api) => find(api, split(input.repository), input, call.idempotencyKey));
  }
}

/**
 * Searches the newest pull requests first, because the search usually follows shortly after the creation. Hosts that
 * cannot filter by `head` and `base` return all pull requests.
 */
async function find(
  api: CodehostApi,
  place: { owner: string; repo: string },
  { head, base }: PullRequestInput,
  key: string,
): Promise<PullRequestOutput | undefined> {
  const pages = api.paginate.iterator('GET /repos/{owner}/{repo}/pulls', {
    ...place,
    state: 'all',
    head: `${place.owner}:${head}`,
    base,
    sort: 'created',
    direction: 'desc',
    per_page: 50,
  });
  const ours = await searchPages(
    pages,
    (pulls) => {
      const between = pulls.filter(
        (pull) => pull.head.ref === head && pull.base.ref === base && isOfRepository(pull.head.repo, place),
      );
      return between.find(({ body }) => hasMark(body, key)) ?? between.find(({ state }) => state === 'open');
    },
    'There are too many pull requests to determine whether this one was already opened.',
  );
  return ours === undefined ? undefined : { number: ours.number, url: ours.html_url, created: false };
}

/** Returns whether a pull request is from the repository itself. A fork may have a branch with the same name. */
function isOfRepository(
  repo: { readonly full_name: string } | null,
  { owner, repo: name }: { owner: string; repo: string },
): boolean {
  return repo?.full_name.toLowerCase() === `${owner}/${name}`.toLowerCase();
}
