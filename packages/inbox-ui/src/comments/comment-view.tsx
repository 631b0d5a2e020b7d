import { Badge, Text } from '@mantine/core';
import type { ApprovalComment } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { Timestamp } from '../time/timestamp.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { toOneLine } from '../ui/to-one-line.js';
import { useInView } from '../ui/use-in-view.js';
import { isErased, useDisplayedDiscussion } from './discussion.js';

/** One comment: who wrote it, when, and its text. */
export function CommentView({ comment }: { readonly comment: ApprovalComment }) {
  const discussion = useDisplayedDiscussion();
  const { commentId, by, byName, at, text, round } = comment;
  const t = texts.comments;
  const element = useInView<HTMLDivElement>(() => discussion?.markSeen(commentId));
  return (
    <div className="cs-comment-view" data-comment={commentId} ref={element}>
      <Text size="sm" component="div" className="cs-comment-author">
        <bdi>
          <strong>{by === null ? t.erasedAuthor : toOneLine(byName ?? by, 80)}</strong>
        </bdi>
        {by !== null && by === discussion?.requestedBy && (
          <Badge size="xs" variant="outline" color="gray">
            {t.requester}
          </Badge>
        )}
        <Text component="span" size="xs" c="dimmed">
          <Timestamp at={at} />
          {discussion !== undefined && discussion.round !== round && ` · ${texts.approvals.round(round)}`}
        </Text>
        {discussion?.newIds.has(commentId) === true && (
          <Badge size="xs" variant="filled">
            {t.new}
          </Badge>
        )}
      </Text>
      {isErased(comment) ? (
        <Text size="sm" c="dimmed">
          {t.erased}
        </Text>
      ) : (
        <p className="cs-comment-body" dir="auto">
          {escapeInvisible(text ?? '')}
        </p>
      )}
    </div>
  );
}
