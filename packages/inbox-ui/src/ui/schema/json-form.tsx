import { Code, Group, Stack, Textarea } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { texts } from '../../texts/index.js';

interface JsonFormProps {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly text: string;
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly readOnly: boolean;
  /** JSON Schema to display for users who write JSON by hand; `null` if there is none. */
  readonly schema: unknown;
  onText(text: string): void;
  onSubmit(): void;
  readonly children: ReactNode;
}

/** A JSON editor for a value. */
export function JsonForm({
  id,
  label,
  description,
  text,
  error,
  disabled,
  readOnly,
  schema,
  onText,
  onSubmit,
  children,
}: JsonFormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={id} onSubmit={submit} noValidate>
      <Stack>
        <Textarea
          id={`${id}_json`}
          label={label}
          description={description}
          value={text}
          error={error}
          disabled={disabled}
          readOnly={readOnly}
          onChange={(event) => onText(event.currentTarget.value)}
          autosize
          minRows={6}
          maxRows={24}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        {schema !== null && (
          <details>
            <summary>{texts.forms.schema}</summary>
            <Code block mah={320} tabIndex={0} style={{ overflow: 'auto' }}>
              {JSON.stringify(schema, null, 2).slice(0, 20_000)}
            </Code>
          </details>
        )}
        <Group>{children}</Group>
      </Stack>
    </form>
  );
}
