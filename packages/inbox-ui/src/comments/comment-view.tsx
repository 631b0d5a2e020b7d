import { Badge, Button, Text } from '@mantine/core';
import type { ApprovalComment } from '@countersign/contract';
import { useId, useState } from 'react';
import { texts } from '../texts/index.js';
import { Timestamp } from '../time/timestamp.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { findFold, type FoldLimits } from '../ui/find-fold.js';
import { toOneLine } from '../ui/to-one-line.js';
import { useInView } from '../ui/use-in-view.js';
import { isErased, useDisplayedDiscussion } from './discussion.js';

/** A longer comment would push the lines around it out of view. */
const FOLD_LIMITS: FoldLimits = {
  unfolded: { characters: 1_500, lines: 20 },
  visible: { characters: 900, lines: 12 },
};

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
        <CommentText text={text ?? ''} />
      )}
    </div>
  );
}

/** The text of a comment. A long text is folded. It is not part of the subject, so its fold does not hide any of it. */
function CommentText({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const fold = findFold(text, FOLD_LIMITS);
  return (
    <>
      <p className="cs-comment-body" dir="auto" id={id}>
        {escapeInvisible(isOpen ? text : text.slice(0, fold))}
        {fold !== undefined && !isOpen && '…'}
      </p>
      {fold !== undefined && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.comments.showLess : texts.approvals.wholeText(text.length)}
        </Button>
      )}
    </>
  );
}
