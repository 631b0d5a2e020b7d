import type { ConnectorCall, ConnectorContribution } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { CodehostClient, type CodehostApi } from './codehost-client.js';
import { issueNumberSchema, repositorySchema, splitFullName } from './inputs.js';
import { hasMark, appendMark, getEarliestCreationTime } from './marker.js';
import { searchPages } from './search-pages.js';

export const CommentInput = z.strictObject({
  repository: repositorySchema(),
  number: issueNumberSchema(),
  body: z
    .string()
    .min(1)
    .max(60_000)
    .meta({ title: 'Comment', description: 'Text of the comment, in Markdown.', multiline: true }),
});
export const CommentOutput = z.object({
  id: z.int(),
  url: z.string(),
  /** Whether this attempt created the comment. An earlier attempt may have done so. */
  created: z.boolean(),
});
export type CommentInput = z.output<typeof CommentInput>;
export type CommentOutput = z.output<typeof CommentOutput>;

/** Writes a comment on an issue or a pull request. */
@injectable()
export class CommentConnector implements ConnectorContribution<typeof CommentInput, typeof CommentOutput> {
  readonly id = 'countersign.codehost.comment';
  readonly title = 'Comment on an issue';
  readonly description = 'Comments on an issue or a pull request on GitHub, Gitea or Forgejo.';
  readonly jobType = 'codehost.comment';
  readonly version = 1;
  readonly effect = 'write';
  readonly input = CommentInput;
  readonly output = CommentOutput;

  constructor(@inject(CodehostClient) private readonly client: CodehostClient) {}

  hosts(): readonly string[] {
    return this.client.hosts();
  }

  call(input: CommentInput, call: ConnectorCall): Promise<CommentOutput> {
    const body = appendMark(input.body, call.idempotencyKey);
    return this.client.use(call, async (api) => {
      const existing = await find(api, input, call.idempotencyKey);
      if (existing !== undefined) return existing;
      const { data } = await api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...toIssueParameters(input),
        body,
      });
      return { id: Number(data.id), url: data.html_url, created: true };
    });
  }

  /** Returns the comment that an earlier attempt of the call created. */
  findComment(
    input: CommentInput,
    call: Pick<ConnectorCall, 'idempotencyKey' | 'signal'>,
  ): Promise<CommentOutput | undefined> {
    return this.client.use(call, (api) => find(api, input, call.idempotencyKey));
  }
}

async function find(api: CodehostApi, input: CommentInput, key: string): Promise<CommentOutput | undefined> {
  const earliest = getEarliestCreationTime(key);
  const pages = api.paginate.iterator('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...toIssueParameters(input),
    per_page: 100,
    ...(earliest === undefined ? {} : { since: earliest }),
  });
  const ownComment = await searchPages(
    pages,
    (comments) => comments.find(({ body }) => hasMark(body, key)),
    'There are too many comments to determine whether this comment was already written.',
  );
  return ownComment === undefined ? undefined : { id: Number(ownComment.id), url: ownComment.html_url, created: false };
}

function toIssueParameters({ repository: fullName, number }: CommentInput) {
  return { ...splitFullName(fullName), issue_number: number };
}
