import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ApprovalComment, Client } from '@countersign/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../api/client-context.js';
import { onCommentChange } from '../api/comment-changes.js';
import { COMMENT } from '../api/find-stale-queries.js';
import { queryKeys } from '../api/query-keys.js';
import { getItemPath, getRequestedItemId } from '../approvals/approvals-path.js';
import { useHasRole, useSession } from '../session/session.js';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';
import { CommentCollector, type CommentedApproval } from './comment-collector.js';
import { concernsUser } from './concerns-user.js';
import { loadComments } from './load-comments.js';

const MAX_TEXT_LENGTH = 160;

/** Notifies users of comments on what they requested, and in discussions in which they take part. */
export function CommentNotifications() {
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { subject } = useSession().me;
  const mayComment = useHasRole('operator');
  useEffect(() => {
    if (!mayComment) return undefined;
    let isActive = true;
    const collector = new CommentCollector((commented) =>
      // A comment that cannot be loaded is displayed with its approval.
      findComment({ client, queryClient, subject }, commented)
        .catch(() => undefined)
        .then((found) => {
          // Another user may have signed in.
          if (found === undefined || !isActive || isDisplayed(found.comment)) return;
          const id = showNotification(found, (comment) => void navigate(getItemPath(comment)));
          shownRuns.set(id, commented.runId);
        }),
    );
    /** The runs of the displayed notifications, by their ids. */
    const shownRuns = new Map<string, string>();
    const end = onCommentChange(client, (change) => {
      if (change.type === COMMENT) return collector.add(change);
      // Erased texts must not stay on the screen.
      for (const [id, runId] of shownRuns) if (runId === change.runId) notifications.hide(id);
    });
    return () => {
      isActive = false;
      collector.stop();
      end();
    };
  }, [client, queryClient, navigate, subject, mayComment]);
  return null;
}

/** Returns whether the approval of a comment is in front of the user. */
function isDisplayed({ approvalId }: ApprovalComment): boolean {
  return document.visibilityState === 'visible' && getRequestedItemId() === approvalId;
}

interface FoundComment {
  readonly comment: ApprovalComment;
  readonly title: string;
}

/**
 * Shows one notification per approval, with its last comment: anybody could write many comments.
 *
 * @returns the id of the notification
 */
function showNotification({ comment, title }: FoundComment, onOpen: (comment: ApprovalComment) => void): string {
  const id = `comments ${comment.approvalId}`;
  const notification = {
    id,
    autoClose: false,
    withCloseButton: true,
    closeButtonProps: { 'aria-label': texts.comments.close },
    title: texts.comments.commented(toOneLine(comment.byName ?? comment.by ?? '', 60), toOneLine(title, 80)),
    message: (
      <Stack gap="xs" align="flex-start">
        <Text size="sm" c="var(--mantine-color-text)" dir="auto">
          {toOneLine(comment.text ?? '', MAX_TEXT_LENGTH)}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            onOpen(comment);
          }}
        >
          {texts.comments.open}
        </Button>
      </Stack>
    ),
  } as const;
  notifications.update(notification);
  notifications.show(notification);
  return id;
}

interface Recipient {
  readonly client: Client;
  readonly queryClient: QueryClient;
  readonly subject: string;
}

/** Loads the last of some new comments; `undefined` if none concerns the user. */
async function findComment(
  { client, queryClient, subject }: Recipient,
  { approvalId, commentIds }: CommentedApproval,
): Promise<FoundComment | undefined> {
  // What is read of the approval never changes.
  const { title, requestedBy } = await queryClient.fetchQuery({
    queryKey: queryKeys.approval(approvalId),
    queryFn: ({ signal }) => client.getApproval({ approvalId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const load = (): Promise<readonly ApprovalComment[]> =>
    queryClient.fetchQuery({
      queryKey: queryKeys.comments(approvalId),
      queryFn: ({ signal }) => loadComments(client, approvalId, signal),
      staleTime: 0,
    });
  const isNew = ({ commentId }: ApprovalComment): boolean => commentIds.has(commentId);
  let comments = await load();
  // The page may have been loading them when they were added.
  if (!comments.some(isNew)) comments = await load();
  const comment = comments.findLast((each) => isNew(each) && concernsUser(each, comments, requestedBy, subject));
  return comment && { comment, title };
}
