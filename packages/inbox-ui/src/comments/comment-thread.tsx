import { Button } from '@mantine/core';
import type { CommentedLine } from '@countersign/contract';
import { useRef, useState } from 'react';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { toOneLine } from '../ui/to-one-line.js';
import { CommentForm } from './comment-form.js';
import { CommentView } from './comment-view.js';
import { useDisplayedDiscussion } from './discussion.js';
import type { Thread } from './group-threads.js';

interface CommentThreadProps {
  readonly thread: Thread;
  /** Whether the line that the thread is about is named and quoted, because the thread is not displayed below it. */
  readonly quotesLine?: boolean;
}

/** A comment with its replies, and the form for a reply. */
export function CommentThread({ thread: { first, replies }, quotesLine = true }: CommentThreadProps) {
  const [isReplying, setIsReplying] = useState(false);
  const replyButton = useRef<HTMLButtonElement>(null);
  const discussion = useDisplayedDiscussion();
  const t = texts.comments;
  const close = (hasFocus: boolean): void => {
    setIsReplying(false);
    if (hasFocus) requestAnimationFrame(() => replyButton.current?.focus());
  };
  return (
    <div className="cs-comment-thread">
      {quotesLine && first.line !== null && <QuotedLine line={first.line} />}
      <CommentView comment={first} />
      {replies.length > 0 && (
        <ul className="cs-comment-replies" aria-label={t.replies(replies.length)}>
          {replies.map((reply) => (
            <li key={reply.commentId}>
              <CommentView comment={reply} />
            </li>
          ))}
        </ul>
      )}
      {discussion?.canComment === true &&
        (isReplying ? (
          <CommentForm
            place={`reply ${first.commentId}`}
            label={t.replyLabel}
            submitLabel={t.reply}
            about={{ replyTo: first.commentId }}
            takesFocus
            onClose={close}
          />
        ) : (
          <Button variant="subtle" size="compact-xs" ref={replyButton} onClick={() => setIsReplying(true)}>
            {t.reply}
          </Button>
        ))}
    </div>
  );
}

function QuotedLine({ line }: { readonly line: CommentedLine }) {
  return (
    <div className="cs-comment-quote">
      <span className="cs-comment-place">{describeLine(line)}</span>
      <code dir="auto">{escapeInvisible(line.quote)}</code>
    </div>
  );
}

/** Names the text and the line. */
function describeLine({ file, evidence, pointer, number, side }: CommentedLine): string {
  const name = toOneLine(file ?? evidence ?? pointer?.split('/').at(-1) ?? '', 120);
  return texts.comments.line(name, number, side);
}
