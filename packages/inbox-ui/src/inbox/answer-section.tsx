import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useRef, useState, useSyncExternalStore, type FocusEvent, type KeyboardEvent } from 'react';
import { useClient } from '../api/client-context.js';
import { texts } from '../texts/index.js';
import { deleteAnswerDraft, getAnswerDraft } from './answer-draft.js';
import { AnswerForm, type AnswerableQuestion } from './answer-form.js';

const t = texts.approvals;

interface AnswerSectionProps {
  readonly question: AnswerableQuestion;
  readonly canAnswer: boolean;
  /** Why the question accepts no answers; `undefined` if it is pending. */
  readonly closedReason: string | undefined;
  onAnswered(isTypedOn: boolean): void;
  /** Called when the user closes a form that was kept. The form had the focus. */
  onLeft(): void;
}

/**
 * The form that answers a question. If the question is closed or the server becomes unreachable while the form has the
 * focus or an unsent answer, the form stays to read until the user leaves it: otherwise the focus would be lost, and
 * the letters that the user types would be shortcuts of the page.
 */
export function AnswerSection({ question, canAnswer, closedReason, onAnswered, onLeft }: AnswerSectionProps) {
  const { questionId } = question;
  const client = useClient();
  const [draft] = useState(() => getAnswerDraft(client, questionId));
  const { phase } = useSyncExternalStore(draft.subscribe, draft.getProgress);
  const [hasFocus, setHasFocus] = useState(false);
  const [isLeft, setIsLeft] = useState(false);
  const wasOpen = useRef(false);
  const isRecorded = phase === 'recorded';
  const closedNotice = isRecorded ? texts.questions.typedOn : closedReason;
  const canSend = closedNotice === undefined && canAnswer;
  if (canSend) wasOpen.current = true;
  const isKept =
    wasOpen.current && !isLeft && (isRecorded ? draft.isTypedOn && hasFocus : hasFocus || draft.hasContent);
  if (!canSend && phase !== 'sending' && !isKept) return null;

  const readOnly = !canSend && phase !== 'sending';
  const canLeave = readOnly && closedNotice !== undefined;
  const leave = (): void => {
    if (!isRecorded) deleteAnswerDraft(client, questionId);
    setIsLeft(true);
    onLeft();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    // If the window loses the focus, the element keeps it.
    if (!currentTarget.contains(relatedTarget) && !currentTarget.contains(document.activeElement)) setHasFocus(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!canLeave || event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  };
  return (
    <div onFocus={() => setHasFocus(true)} onBlur={onBlur} onKeyDown={onKeyDown}>
      <Stack gap="sm">
        {canLeave && (
          <Alert color="yellow" role="alert" p="xs">
            <Text size="sm">{closedNotice}</Text>
          </Alert>
        )}
        <AnswerForm question={question} readOnly={readOnly} onAnswered={onAnswered} />
        {canLeave && (
          <Group>
            <Button variant="default" size="xs" onClick={leave}>
              {isRecorded ? texts.pendingVotes.actions.dismiss : t.staleDraft.discard}
            </Button>
          </Group>
        )}
      </Stack>
    </div>
  );
}
