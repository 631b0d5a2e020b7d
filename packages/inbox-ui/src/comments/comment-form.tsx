import { Button, Group, Text, Textarea } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
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
  /** Closes the form; if omitted, it stays. `hasFocus`: whether the focus was in the form, or would be lost. */
  onClose?(hasFocus: boolean): void;
}

/** Form for a comment. Its text is kept until the comment is recorded, also while other pages are displayed. */
export function CommentForm(props: CommentFormProps) {
  const { place, label, submitLabel, about, takesFocus = false, inputRef, onClose } = props;
  const discussion = useDisplayedDiscussion();
  const client = useClient();
  const [draft] = useState(() => getCommentDraft(client, `${discussion?.approvalId ?? ''} ${place}`));
  const { text, isSending, error } = useSyncExternalStore(draft.subscribe, draft.getSnapshot);
  const isEmpty = text.trim() === '';
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const mergedRef = useMergedRef(field, inputRef);
  if (discussion === undefined) return null;
  const t = texts.comments;
  const send = async (): Promise<void> => {
    const isRecorded = await draft.send((content, idempotencyKey) =>
      discussion.add({ text: content, ...about }, idempotencyKey),
    );
    // What the user has written in the meantime stays in the form.
    if (!isRecorded || form.current === null || draft.getSnapshot().text !== '') return;
    const hasFocus = isFocusFree(form.current);
    if (onClose !== undefined) onClose(hasFocus);
    else if (hasFocus) field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    }
    if (event.key === 'Escape' && !isSending) {
      event.stopPropagation();
      // Without the focus in the field, the keys of the page work again.
      if (onClose === undefined) event.currentTarget.blur();
      else onClose(true);
    }
  };
  return (
    <form
      ref={form}
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
        ref={mergedRef}
        autoFocus={takesFocus}
        onChange={(event) => draft.setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {error !== undefined && <ProblemNotice error={error} />}
      {(!isEmpty || onClose !== undefined) && (
        <Group gap="xs" mt={6}>
          <Button type="submit" size="xs" loading={isSending} disabled={isEmpty}>
            {submitLabel}
          </Button>
          {onClose !== undefined && (
            <Button variant="default" size="xs" disabled={isSending} onClick={() => onClose(true)}>
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

/** Returns whether the focus is in a form, or was in a control of it that is gone: users may have moved on. */
function isFocusFree(form: HTMLFormElement): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || form.contains(activeElement);
}
