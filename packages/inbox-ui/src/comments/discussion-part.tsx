import { Stack, Text } from '@mantine/core';
import type { Ref } from 'react';
import { texts } from '../texts/index.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { CommentForm } from './comment-form.js';
import { CommentThread } from './comment-thread.js';
import { useDisplayedDiscussion } from './discussion.js';
import './comments.css';

/** The comments on the displayed approval, by thread, and the form for another one. */
export function DiscussionPart({ inputRef }: { readonly inputRef?: Ref<HTMLTextAreaElement> }) {
  const discussion = useDisplayedDiscussion();
  if (discussion === undefined) return null;
  const { threads, state, error, canComment, limitation } = discussion;
  const t = texts.comments;
  return (
    <Stack gap="sm">
      {state === 'loading' && <Loading />}
      {state === 'failed' && <ProblemNotice error={error} onRetry={discussion.retry} />}
      {threads.length > 0 && (
        <ul className="cs-comment-threads" aria-label={t.threads}>
          {threads.map((thread) => (
            <li key={thread.first.commentId}>
              <CommentThread thread={thread} />
            </li>
          ))}
        </ul>
      )}
      {state === 'loaded' && threads.length === 0 && !canComment && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      {limitation !== undefined && (
        <Text size="sm" c="dimmed">
          {limitation}
        </Text>
      )}
      {canComment && (
        <CommentForm
          key={discussion.approvalId}
          place="approval"
          label={t.placeholder}
          submitLabel={t.comment}
          about={{}}
          {...(inputRef === undefined ? {} : { inputRef })}
        />
      )}
    </Stack>
  );
}
