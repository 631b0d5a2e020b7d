import { Alert, Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import { ConnectionError, ProblemError, type FieldError, type JsonValue, type Question } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type FormEvent, type KeyboardEvent } from 'react';
import { useClient } from '../api/client-context.js';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { revealed } from '../ui/revealed.js';
import { SchemaForm } from '../ui/schema-form.js';
import { newKey } from '../api/new-key.js';
import { answerKind, type AnswerKind } from './question-answer.js';

const t = texts.approvals.questions;

interface Sent {
  readonly answer: JsonValue;
  /** The same for all tries of this answer: it never counts twice. */
  readonly key: string;
}

/** Answers a question. The run goes on at once: there is nothing to take back. */
export function AnswerForm({ question }: { readonly question: Question }) {
  const { questionId, runId, answerSchema } = question;
  const client = useClient();
  const queries = useQueryClient();
  const kind = answerKind(question);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** An answer that nobody knows the fate of: only the same one can be sent again. */
  const [unsettled, setUnsettled] = useState<Sent>();
  const errors = useMemo(() => withinAnswer(error), [error]);
  const send = (sent: Sent): void => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    client
      .answerQuestion({ runId, questionId, body: { answer: sent.answer } }, { idempotencyKey: sent.key })
      .then(
        () => notifications.show({ message: t.sent }),
        (failure: unknown) => {
          setUnsettled(failure instanceof ConnectionError ? sent : undefined);
          setError(failure);
        },
      )
      .finally(() => {
        setBusy(false);
        void queries.invalidateQueries({ queryKey: ['questions'] });
      });
  };
  const answer = (value: JsonValue): void => send({ answer: value, key: newKey() });

  if (unsettled !== undefined) {
    return (
      <Alert color="yellow" role="alert">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t.unsettled}</Text>
          <Button size="xs" loading={busy} onClick={() => send(unsettled)}>
            {texts.problems.retry}
          </Button>
        </Stack>
      </Alert>
    );
  }
  return (
    <Stack gap="sm">
      {error !== undefined && errors.length === 0 && <ProblemNotice error={error} />}
      {kind === 'json' ? (
        <SchemaForm schema={answerSchema} label={t.answer} submitLabel={t.send} busy={busy} errors={errors} onSubmit={(value) => answer(value as JsonValue)} />
      ) : (
        <PlainForm kind={kind} question={question} busy={busy} onSend={answer} />
      )}
    </Stack>
  );
}

/** What the server says of the answer, with pointers into it. */
function withinAnswer(error: unknown): FieldError[] {
  if (!(error instanceof ProblemError)) return [];
  return error.errors.filter(({ pointer }) => pointer.startsWith('/answer')).map((each) => ({ ...each, pointer: each.pointer.slice('/answer'.length) }));
}

interface PlainFormProps {
  readonly kind: Exclude<AnswerKind, 'json'>;
  readonly question: Question;
  readonly busy: boolean;
  onSend(answer: string): void;
}

function PlainForm({ kind, question: { options }, busy, onSend }: PlainFormProps) {
  const [text, setText] = useState('');
  const empty = text.trim() === '';
  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    if (!empty) onSend(text);
  };
  return (
    <form onSubmit={submit} onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)}>
      <Stack gap="sm">
        {kind === 'options' ? (
          <Radio.Group label={t.answer} value={text} onChange={setText} required>
            <Stack gap="xs" mt="xs">
              {(options ?? []).map((option) => (
                <Radio key={option} value={option} label={<Text size="sm">{revealed(option)}</Text>} />
              ))}
            </Stack>
          </Radio.Group>
        ) : (
          <Textarea label={t.answer} required autosize minRows={3} maxRows={12} maxLength={10_000} value={text} onChange={(event) => setText(event.currentTarget.value)} />
        )}
        <Group>
          <Button type="submit" loading={busy} disabled={empty}>
            {t.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
