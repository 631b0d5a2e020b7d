import { Alert, Button, Group, JsonInput, Radio, Stack, Text, Textarea } from '@mantine/core';
import { ConnectionError, type Question } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { useClient } from '../api/client-context.js';
import { texts } from '../texts/index.js';
import { JsonView } from '../ui/json-view.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { newKey } from './new-key.js';
import { answerKind, answerOf, type AnswerKind } from './question-answer.js';

const t = texts.approvals.questions;

/** Answers a question. The run goes on at once: there is nothing to take back. */
export function AnswerForm({ question }: { readonly question: Question }) {
  const { questionId, runId, answerSchema } = question;
  const client = useClient();
  const queries = useQueryClient();
  const kind = answerKind(question);
  const [text, setText] = useState('');
  const [key, setKey] = useState(newKey);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const answer = answerOf(kind, text);
  const send = (): void => {
    if (answer === undefined || busy) return;
    setBusy(true);
    setError(undefined);
    client
      .answerQuestion({ runId, questionId, body: { answer } }, { idempotencyKey: key })
      .then(
        () => notifications.show({ message: t.sent }),
        (failure: unknown) => {
          // The same key settles an answer whose own answer was lost; another answer needs another key.
          if (!(failure instanceof ConnectionError)) setKey(newKey());
          setError(failure);
        },
      )
      .finally(() => {
        setBusy(false);
        void queries.invalidateQueries({ queryKey: ['questions'] });
      });
  };
  const write = (value: string): void => {
    setText(value);
    if (error instanceof ConnectionError) return;
    setError(undefined);
  };
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      <Stack gap="sm">
        <AnswerField kind={kind} question={question} text={text} locked={error instanceof ConnectionError} onText={write} />
        {kind === 'json' && answerSchema !== null && <JsonView value={answerSchema} label={t.schema} depth={1} maxHeight={200} />}
        {error !== undefined && (error instanceof ConnectionError ? <Alert color="yellow" role="alert">{t.unsettled}</Alert> : <ProblemNotice error={error} />)}
        <Group>
          <Button type="submit" loading={busy} disabled={answer === undefined}>
            {t.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface AnswerFieldProps {
  readonly kind: AnswerKind;
  readonly question: Question;
  readonly text: string;
  /** An answer was sent and nobody knows whether it counted: only the same one can be sent again. */
  readonly locked: boolean;
  onText(text: string): void;
}

function AnswerField({ kind, question: { options }, text, locked, onText }: AnswerFieldProps) {
  if (kind === 'options') {
    return (
      <Radio.Group label={t.answer} value={text} onChange={onText} required>
        <Stack gap="xs" mt="xs">
          {(options ?? []).map((option) => (
            <Radio key={option} value={option} label={<Text size="sm">{option}</Text>} disabled={locked} />
          ))}
        </Stack>
      </Radio.Group>
    );
  }
  if (kind === 'text') return <Textarea label={t.answer} required autosize minRows={3} maxRows={12} maxLength={10_000} value={text} readOnly={locked} onChange={(event) => onText(event.currentTarget.value)} />;
  const invalid = text.trim() !== '' && answerOf('json', text) === undefined;
  return <JsonInput label={t.answerJson} required autosize minRows={4} maxRows={16} value={text} readOnly={locked} error={invalid ? t.answerInvalid : undefined} onChange={onText} />;
}
