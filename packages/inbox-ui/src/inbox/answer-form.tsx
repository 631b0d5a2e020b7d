import { Alert, Button, Stack, Text } from '@mantine/core';
import { toRequestOutcome, ProblemError, type FieldError, type JsonValue, type Question } from '@countersign/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { SchemaForm } from '../ui/schema-form.js';
import { deleteAnswerDraft, getAnswerDraft } from './answer-draft.js';
import { PlainAnswer } from './plain-answer.js';
import { getAnswerKind } from './answer-kind.js';

const t = texts.approvals.questions;

interface AnswerFormProps {
  readonly question: Pick<Question, 'questionId' | 'runId' | 'options' | 'answerSchema'>;
  /** Called when the server has recorded the answer. */
  onAnswered?(): void;
}

/**
 * Form that answers a question with an option, a value of its schema, or text. The run continues immediately, and an
 * answer cannot be undone. The draft is kept until it is sent. An unconfirmed answer is retried under the same
 * idempotency key.
 */
export function AnswerForm({ question, onAnswered }: AnswerFormProps) {
  const { questionId, runId, options, answerSchema } = question;
  const client = useClient();
  const queryClient = useQueryClient();
  const [savedDraft] = useState(() => getAnswerDraft(client, questionId));
  const [unconfirmedAnswer, setUnconfirmedAnswer] = useState(savedDraft.unconfirmedAnswer);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const errors = useMemo(() => findAnswerErrors(error), [error]);

  const saveUnconfirmedAnswer = (next: JsonValue | undefined): void => {
    savedDraft.unconfirmedAnswer = next;
    setUnconfirmedAnswer(next);
  };
  const send = (answer: JsonValue): void => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    client
      .answerQuestion({ runId, questionId, body: { answer } }, { idempotencyKey: savedDraft.requestKey.getKey(answer) })
      .then(
        (answered) => {
          deleteAnswerDraft(client, questionId);
          saveUnconfirmedAnswer(undefined);
          queryClient.setQueryData(queryKeys.questions({ questionId }), answered);
          onAnswered?.();
        },
        (failure: unknown) => {
          savedDraft.requestKey.onRequestEnded(failure);
          const outcome = toRequestOutcome(failure);
          if (outcome !== 'unauthorized') saveUnconfirmedAnswer(outcome === 'unknown' ? answer : undefined);
          setError(failure);
        },
      )
      .finally(() => {
        setBusy(false);
        void queryClient.invalidateQueries({ queryKey: ['questions'] });
        void queryClient.invalidateQueries({ queryKey: ['run', runId] });
      });
  };

  return (
    <Stack gap="sm">
      {unconfirmedAnswer !== undefined && (
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
        (unconfirmedAnswer === undefined || toRequestOutcome(error) !== 'unknown') && <ProblemNotice error={error} />}
      {getAnswerKind(question) === 'json' ? (
        <SchemaForm
          schema={answerSchema}
          label={t.answer}
          draft={savedDraft.form}
          submitLabel={t.send}
          busy={busy}
          errors={errors}
          onDraft={(draft) => {
            savedDraft.form = draft;
          }}
          onSubmit={(value) => send(value as JsonValue)}
        />
      ) : (
        <PlainAnswer
          options={options}
          initial={savedDraft.text}
          busy={busy}
          onDraft={(text) => {
            savedDraft.text = text;
          }}
          onSend={send}
        />
      )}
    </Stack>
  );
}

/** Returns the server's field errors with pointers relative to the answer. */
function findAnswerErrors(error: unknown): FieldError[] {
  if (!(error instanceof ProblemError)) return [];
  return error.errors
    .filter(({ pointer }) => pointer.startsWith('/answer'))
    .map((each) => ({ ...each, pointer: each.pointer.slice('/answer'.length) }));
}
