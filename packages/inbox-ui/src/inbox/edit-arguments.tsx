import { Text } from '@mantine/core';
import { type Approval, parseExactJson } from '@countersign/contract';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { Loading } from '../ui/loading.js';
import { SchemaForm, type SchemaDraft } from '../ui/schema-form.js';
import { useToolSchema } from './use-tool-schema.js';

const t = texts.approvals.form;

interface EditArgumentsProps {
  readonly subject: Extract<Approval['subject'], { kind: 'tool_call' }>;
  /** Id of the form, so that a button outside it can submit it. */
  readonly id: string;
  /** Note about the round that the edit opens. */
  readonly newRoundNote: string | undefined;
  /** The draft, as JSON. */
  readonly text: string;
  onText(text: string): void;
  /** Called with arguments that match the tool's schema, if it has one. */
  onSubmit(value: unknown): void;
}

/**
 * Editor for the arguments of a tool call, as a form made from the tool's schema and as JSON: two views of one draft.
 */
export function EditArguments({ subject, id, newRoundNote, text, onText, onSubmit }: EditArgumentsProps) {
  const schema = useToolSchema(subject);
  const [draft] = useState(() => parseDraft(text, subject.inputs));
  return (
    <div className="cs-edit-arguments">
      <Text size="sm" c="dimmed" mb="xs">
        {t.argumentsHint} {newRoundNote}
      </Text>
      {schema === undefined ? (
        <Loading />
      ) : (
        <SchemaForm
          schema={schema}
          label={t.argumentsLabel}
          id={id}
          draft={draft}
          onDraft={(next) => onText(next.text ?? formatArguments(next.value))}
          onSubmit={onSubmit}
        />
      )}
    </div>
  );
}

function formatArguments(value: unknown): string {
  return JSON.stringify(value ?? {}, null, 2);
}

/** Returns the draft as a value or, if it is not valid JSON, as text. */
function parseDraft(text: string, inputs: unknown): SchemaDraft {
  try {
    return { value: parseExactJson(text), text: undefined };
  } catch {
    return { value: inputs, text };
  }
}
