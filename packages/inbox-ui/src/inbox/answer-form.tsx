import { Alert, Button, Stack, Text } from '@mantine/core';
import { toRequestOutcome, ProblemError, type FieldError, type JsonValue, type Question } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { SchemaForm } from '../ui/schema-form.js';
import { toOneLine } from '../ui/to-one-line.js';
import { toUserMessage } from '../ui/to-user-message.js';
import { deleteAnswerDraft, getAnswerDraft } from './answer-draft.js';
import { PlainAnswer } from './plain-answer.js';
import { getAnswerKind } from './answer-kind.js';

const t = texts.questions;

/** What a form needs to know of a question. */
export type AnswerableQuestion = Pick<Question, 'questionId' | 'runId' | 'text' | 'options' | 'answerSchema'>;

interface AnswerFormProps {
  readonly question: AnswerableQuestion;
  /** Set if the answer cannot be sent: it can be read, and keeps the focus. */
  readonly readOnly?: boolean;
  /**
   * Called when the server has recorded the answer.
   *
   * @param isTypedOn whether the user has pressed a key in the form since sending
   */
  onAnswered?(isTypedOn: boolean): void;
}

/**
 * Form that answers a question with an option, a value of its schema, or text. The run continues immediately, and an
 * answer cannot be undone. The draft is kept until it is sent. An unconfirmed answer is retried under the same
 * idempotency key.
 */
export function AnswerForm({ question, readOnly = false, onAnswered }: AnswerFormProps) {
  const { questionId, runId, options, answerSchema } = question;
  const client = useClient();
  const queryClient = useQueryClient();
  const [draft] = useState(() => getAnswerDraft(client, questionId));
  const { phase, unconfirmedAnswer, error } = useSyncExternalStore(draft.subscribe, draft.getProgress);
  const busy = phase === 'sending';
  const errors = useMemo(() => findAnswerErrors(error), [error]);

  const markRecorded = (): void => {
    deleteAnswerDraft(client, questionId);
    draft.setProgress({ phase: 'recorded', unconfirmedAnswer: undefined });
    onAnswered?.(draft.isTypedOn);
  };
  const send = (answer: JsonValue): void => {
    if (readOnly || draft.getProgress().phase !== 'editing') return;
    draft.isTypedOn = false;
    draft.setProgress({ phase: 'sending', error: undefined });
    client
      .answerQuestion({ runId, questionId, body: { answer } }, { idempotencyKey: draft.requestKey.getKey(answer) })
      .then(
        (answered) => {
          queryClient.setQueryData(queryKeys.question(questionId), answered);
          markRecorded();
        },
        (failure: unknown) => {
          draft.requestKey.onRequestEnded(failure);
          const outcome = toRequestOutcome(failure);
          if (outcome === 'executed') return markRecorded();
          draft.setProgress({
            phase: 'editing',
            error: failure,
            ...(outcome === 'unauthorized' ? {} : { unconfirmedAnswer: outcome === 'unknown' ? answer : undefined }),
          });
          if (!draft.isDisplayed) notifyNotSent(question, failure);
        },
      )
      .finally(() => {
        for (const queryKey of [queryKeys.question(questionId), ['questions'], ['run', runId]])
          void queryClient.invalidateQueries({ queryKey });
      });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (busy && !event.repeat && !isSubmitKey(event)) draft.isTypedOn = true;
  };

  return (
    <Stack gap="sm" onKeyDown={onKeyDown}>
      {unconfirmedAnswer !== undefined && !readOnly && (
        <Alert color="yellow" role="alert">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{t.unconfirmed}</Text>
            <Button size="xs" loading={busy} onClick={() => send(unconfirmedAnswer)}>
              {texts.problems.retry}
            </Button>
          </Stack>
        </Alert>
      )}
      {error !== undefined &&
        errors.length === 0 &&
        !readOnly &&
        (unconfirmedAnswer === undefined || toRequestOutcome(error) !== 'unknown') && <ProblemNotice error={error} />}
      {getAnswerKind(question) === 'json' ? (
        <SchemaForm
          schema={answerSchema}
          label={t.answer}
          draft={draft.form}
          {...(readOnly ? {} : { submitLabel: t.send })}
          busy={busy}
          readOnly={busy || readOnly}
          errors={errors}
          onDraft={(form) => {
            draft.form = form;
          }}
          onSubmit={(value) => send(value as JsonValue)}
        />
      ) : (
        <PlainAnswer
          options={options}
          initial={draft.text}
          busy={busy}
          readOnly={readOnly}
          onDraft={(text) => {
            draft.text = text;
          }}
          onSend={send}
        />
      )}
    </Stack>
  );
}

/** Returns whether a key belongs to the key press that sends the answer. */
function isSubmitKey({ key }: KeyboardEvent): boolean {
  return ['Enter', 'Shift', 'Control', 'Alt', 'Meta'].includes(key);
}

/** Reports a failure to a user who has moved on. */
function notifyNotSent({ text }: AnswerableQuestion, failure: unknown): void {
  const question = toOneLine(text, 80);
  const message =
    toRequestOutcome(failure) === 'unknown' ? t.unconfirmedOf(question) : t.notSent(question, toUserMessage(failure));
  notifications.show({ color: 'red', message, autoClose: false });
}

/** Returns the server's field errors with pointers relative to the answer. */
function findAnswerErrors(error: unknown): FieldError[] {
  if (!(error instanceof ProblemError)) return [];
  return error.errors
    .filter(({ pointer }) => pointer.startsWith('/answer'))
    .map((each) => ({ ...each, pointer: each.pointer.slice('/answer'.length) }));
}
