import { Button, Group, Text, Textarea } from '@mantine/core';
import { useRef, useState, useSyncExternalStore, type KeyboardEvent, type Ref } from 'react';
import { useClient } from '../api/client-context.js';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { getCommentDraft } from './comment-draft.js';
import { useDisplayedDiscussion, type NewComment } from './discussion.js';

/** Maximum length of a comment, as the server limits it. */
const MAX_LENGTH = 10_000;

interface CommentFormProps {
  /** Distinguishes the form from the others of the approval. */
  readonly place: string;
  readonly label: string;
  readonly submitLabel: string;
  readonly about: Omit<NewComment, 'text'>;
  readonly takesFocus?: boolean;
  readonly inputRef?: Ref<HTMLTextAreaElement>;
  onSent?(): void;
  /** If omitted, the form cannot be closed. */
  onCancel?(): void;
}

/** Form for a comment. Its text is kept until the comment is recorded, also while other pages are displayed. */
export function CommentForm(props: CommentFormProps) {
  const { place, label, submitLabel, about, takesFocus = false, inputRef, onSent, onCancel } = props;
  const discussion = useDisplayedDiscussion();
  const client = useClient();
  const [draft] = useState(() => getCommentDraft(client, `${discussion?.approvalId ?? ''} ${place}`));
  const { text, isSending, error } = useSyncExternalStore(draft.subscribe, draft.getSnapshot);
  const isEmpty = text.trim() === '';
  const sentLast = useRef(false);
  if (discussion === undefined) return null;
  const t = texts.comments;
  const send = async (): Promise<void> => {
    sentLast.current = await draft.send((content, idempotencyKey) =>
      discussion.add({ text: content, ...about }, idempotencyKey),
    );
    if (sentLast.current) onSent?.();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    }
    if (event.key === 'Escape' && !isSending) {
      event.stopPropagation();
      // Without the focus in the field, the keys of the page work again.
      if (onCancel === undefined) event.currentTarget.blur();
      else onCancel();
    }
  };
  return (
    <form
      className="cs-comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Textarea
        aria-label={label}
        placeholder={label}
        dir="auto"
        autosize
        minRows={1}
        maxRows={12}
        maxLength={MAX_LENGTH}
        value={text}
        ref={inputRef}
        autoFocus={takesFocus}
        onChange={(event) => draft.setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {error !== undefined && <ProblemNotice error={error} />}
      {(!isEmpty || onCancel !== undefined) && (
        <Group gap="xs" mt={6}>
          <Button type="submit" size="xs" loading={isSending} disabled={isEmpty}>
            {submitLabel}
          </Button>
          {onCancel !== undefined && (
            <Button variant="default" size="xs" disabled={isSending} onClick={onCancel}>
              {t.cancel}
            </Button>
          )}
          <Text size="xs" c="dimmed">
            {t.notVote}
          </Text>
        </Group>
      )}
    </form>
  );
}
