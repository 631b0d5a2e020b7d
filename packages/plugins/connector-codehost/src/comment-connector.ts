import { type ConnectorCall, type ConnectorContribution } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { CodehostClient, type CodehostApi } from './codehost-client.js';
import { repository, split } from './inputs.js';
import { hasMark, marked, notBefore } from './marker.js';
import { searchPages } from './search-pages.js';

const Input = z.strictObject({
  repository: repository(),
  number: z.int().min(1).meta({ title: 'Number', description: 'Of the issue or pull request, such as =codehost.issue.number.' }),
  body: z.string().min(1).max(60_000).meta({ title: 'Comment', description: 'Markdown.', multiline: true }),
});
const Output = z.object({
  id: z.int(),
  url: z.string(),
  /** Whether this attempt made it: an earlier one may have. */
  created: z.boolean(),
});
type Input = z.output<typeof Input>;
type Output = z.output<typeof Output>;

/** Comments on an issue or a pull request. */
@injectable()
export class CommentConnector implements ConnectorContribution<typeof Input, typeof Output> {
  readonly id = 'countersign.codehost.comment';
  readonly title = 'Comment on an issue';
  readonly description = 'Writes a comment on an issue or a pull request at GitHub, Gitea or Forgejo.';
  readonly jobType = 'codehost.comment';
  readonly version = 1;
  readonly effect = 'write';
  readonly input = Input;
  readonly output = Output;

  constructor(@inject(CodehostClient) private readonly client: CodehostClient) {}

  call(input: Input, call: ConnectorCall): Promise<Output> {
    const body = marked(input.body, call.idempotencyKey);
    return this.client.use(call, async (api) => {
      const place = { ...split(input.repository), issue_number: input.number };
      const earlier = await find(api, place, call.idempotencyKey);
      if (earlier !== undefined) return { ...earlier, created: false };
      const { data } = await api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...place, body });
      return { id: Number(data.id), url: data.html_url, created: true };
    });
  }
}

/** The comment that an earlier attempt has made. */
async function find(api: CodehostApi, place: { owner: string; repo: string; issue_number: number }, key: string): Promise<Omit<Output, 'created'> | undefined> {
  const since = notBefore(key);
  const pages = api.paginate.iterator('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...place, per_page: 100, ...(since === undefined ? {} : { since }) });
  const ours = await searchPages(pages, (comments) => comments.find(({ body }) => hasMark(body, key)), 'There are too many comments to see whether this one has been made.');
  return ours === undefined ? undefined : { id: Number(ours.id), url: ours.html_url };
}
