import { CopyButton } from '@countersign/inbox-ui/ui/copy-button';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Markdown } from '@countersign/inbox-ui/ui/markdown';
import { PlainOrFormatted } from '@countersign/inbox-ui/ui/plain-or-formatted';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Stack, Text } from '@mantine/core';
import type { JsonValue } from '@countersign/contract';
import { texts } from '../texts/index.js';
import '@countersign/inbox-ui/ui/json-view.css';

const MAX_LONG_TEXTS = 5;
const MAX_TEXT_LENGTH = 100_000;

interface ValueViewProps {
  readonly value: JsonValue;
  readonly label: string;
  readonly maxHeight?: number;
}

/** Shows a value: a string as text, any other value as a tree, with the first long strings of an object below it. */
export function ValueView({ value, label, maxHeight }: ValueViewProps) {
  if (typeof value === 'string') return <TextValue text={value} />;
  const longTexts =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).filter((entry): entry is [string, string] => isLong(entry[1]))
      : [];
  return (
    <Stack gap="xs">
      <JsonView value={value} label={label} {...(maxHeight === undefined ? {} : { maxHeight })} />
      {longTexts.slice(0, MAX_LONG_TEXTS).map(([name, text]) => (
        <div key={name}>
          <Text size="xs" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <TextValue text={text} />
        </div>
      ))}
    </Stack>
  );
}

function isLong(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && (value.includes('\n') || value.length > 160);
}

function TextValue({ text }: { readonly text: string }) {
  return (
    <div className="cs-text-value">
      <PlainOrFormatted
        plain={
          <pre className="cs-plain-text">
            {escapeInvisible(text.slice(0, MAX_TEXT_LENGTH))}
            {text.length > MAX_TEXT_LENGTH && (
              <Text component="span" c="dimmed">{` ${texts.ui.json.rest(text.length - MAX_TEXT_LENGTH)}`}</Text>
            )}
          </pre>
        }
        formatted={text.includes('\n') ? () => <Markdown text={text} headingLevel={4} /> : undefined}
        actions={<CopyButton text={() => text} />}
      />
    </div>
  );
}
