import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ApprovalComment, Change, Client } from '@countersign/contract';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../api/client-context.js';
import { onCommentChange } from '../api/comment-changes.js';
import { getItemPath, getRequestedItemId } from '../approvals/approvals-path.js';
import { useHasRole, useSession } from '../session/session.js';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';
import { concernsUser } from './concerns-user.js';
import { loadComments } from './load-comments.js';

const MAX_QUOTE_LENGTH = 160;

/** Notifies users of comments on what they requested, and in discussions in which they take part. */
export function CommentNotifications() {
  const client = useClient();
  const navigate = useNavigate();
  const { subject } = useSession().me;
  const mayComment = useHasRole('operator');
  useEffect(() => {
    if (!mayComment) return undefined;
    let isActive = true;
    const stop = onCommentChange(client, (change) => {
      // A comment that cannot be loaded is displayed with its approval.
      void findComment(client, change, subject)
        .catch(() => undefined)
        .then((found) => {
          if (found === undefined || !isActive || getRequestedItemId() === found.comment.approvalId) return;
          showNotification(found, (comment) => void navigate(getItemPath(comment)));
        });
    });
    return () => {
      isActive = false;
      stop();
    };
  }, [client, navigate, subject, mayComment]);
  return null;
}

interface FoundComment {
  readonly comment: ApprovalComment;
  readonly title: string;
}

/** Shows one notification per approval, with its last comment: anybody could write many comments. */
function showNotification({ comment, title }: FoundComment, onOpen: (comment: ApprovalComment) => void): void {
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
          {toOneLine(comment.text ?? '', MAX_QUOTE_LENGTH)}
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
}

/** Loads a new comment; `undefined` if it does not concern the user. */
async function findComment(client: Client, { data }: Change, subject: string): Promise<FoundComment | undefined> {
  const approvalId = String(data['approvalId']);
  const comments = await loadComments(client, approvalId);
  const comment = comments.find(({ commentId }) => commentId === data['commentId']) ?? comments.at(-1);
  if (comment === undefined || comment.by === subject) return undefined;
  const { title, requestedBy } = await client.getApproval({ approvalId });
  return concernsUser(comment, comments, requestedBy, subject) ? { comment, title } : undefined;
}
