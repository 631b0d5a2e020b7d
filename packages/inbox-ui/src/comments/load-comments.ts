import type { ApprovalComment, Client } from '@countersign/contract';

const PAGE_SIZE = 200;
/** Bounds the number of requests: twice the number of comments that the server allows. */
const MAX_PAGES = 10;

/** Loads the comments on an approval and its earlier rounds, oldest first. */
export async function loadComments(
  client: Client,
  approvalId: string,
  signal?: AbortSignal,
): Promise<readonly ApprovalComment[]> {
  const comments: ApprovalComment[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, nextCursor }: Awaited<ReturnType<Client['listApprovalComments']>> =
      await client.listApprovalComments(
        { approvalId, limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) },
        signal === undefined ? {} : { signal },
      );
    comments.push(...items);
    cursor = nextCursor;
    if (cursor === null) break;
  }
  return comments;
}
