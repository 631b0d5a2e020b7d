import { Button, Group, Radio, Stack, Textarea } from '@mantine/core';
import { ConnectionError, ProblemError, type ConversationMessage, type FieldError, type JsonValue } from '@countersign/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { useClient } from '../../api/client-context.js';
import { newKey } from '../../api/new-key.js';
import { texts } from '../../texts/index.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { revealed } from '../../ui/revealed.js';
import { SchemaForm } from '../../ui/schema-form.js';

const t = texts.conversation;
const MAX_TEXT = 10_000;
const NONE: readonly FieldError[] = Object.freeze([]);

interface AnswerFormProps {
  readonly runId: string;
  readonly question: Pick<ConversationMessage, 'questionId' | 'options' | 'answerSchema'>;
}

/** Answers a question: one of its options, what fits its schema, or a text. The run goes on at once, and nothing takes it back. */
export function AnswerForm({ runId, question: { questionId, options, answerSchema } }: AnswerFormProps) {
  const client = useClient();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [text, setText] = useState('');
  const sent = useRef<{ readonly answer: string; readonly key: string }>(undefined);
  const send = (answer: JsonValue): void => {
    const written = JSON.stringify(answer);
    // Sent again after an answer was lost, the same answer is the same request; another one is another.
    if (sent.current?.answer !== written) sent.current = { answer: written, key: newKey() };
    setBusy(true);
    setError(undefined);
    client
      .answerQuestion({ runId, questionId, body: { answer } }, { idempotencyKey: sent.current.key })
      .catch((failure: unknown) => {
        if (!(failure instanceof ConnectionError)) sent.current = undefined;
        setError(failure);
      })
      .finally(() => {
        setBusy(false);
        void queries.invalidateQueries({ queryKey: ['run', runId] });
        void queries.invalidateQueries({ queryKey: ['questions'] });
      });
  };
  if (answerSchema !== null && options === null) {
    return (
      <Stack gap="xs">
        <SchemaForm schema={answerSchema} label={t.answer} submitLabel={t.send} busy={busy} errors={error instanceof ProblemError ? atAnswer(error.problem.errors) : NONE} onSubmit={(value) => send(value as JsonValue)} />
        {error !== undefined && <ProblemNotice error={error} />}
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (text.trim() !== '' && !busy) send(text);
      }}
    >
      <Stack gap="xs">
        {options === null ? (
          <Textarea
            label={t.answer}
            autosize
            minRows={2}
            maxRows={12}
            maxLength={MAX_TEXT}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        ) : (
          <Radio.Group label={t.choose} value={text} onChange={setText}>
            <Stack gap={8} mt={6}>
              {options.map((option) => (
                <Radio key={option} value={option} label={revealed(option)} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        <Group>
          <Button type="submit" size="sm" loading={busy} disabled={text.trim() === ''}>
            {t.send}
          </Button>
        </Group>
        {error !== undefined && <ProblemNotice error={error} />}
      </Stack>
    </form>
  );
}

/** Of the answer within the body of the request. */
function atAnswer(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map((each) => ({ ...each, pointer: each.pointer.replace(/^\/answer/, '') }));
}
