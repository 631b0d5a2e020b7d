import type { ApprovalComment, Client } from '@countersign/contract';

/** Maximum number of comments on an approval, as the server limits it. */
const MAX_COMMENTS = 1_000;
const PAGE_SIZE = 200;

/** Loads the comments on an approval and its earlier rounds, oldest first. */
export async function loadComments(
  client: Client,
  approvalId: string,
  signal?: AbortSignal,
): Promise<readonly ApprovalComment[]> {
  const comments: ApprovalComment[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Client['listApprovalComments']>> = await client.listApprovalComments(
      { approvalId, limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) },
      signal === undefined ? {} : { signal },
    );
    comments.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && comments.length < MAX_COMMENTS);
  return comments;
}
