import { Button, Group, Kbd, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { chooseOptionByKey, getOptionKey, getOptionKeyProps } from './option-keys.js';

const t = texts.questions;
const MAX_TEXT_LENGTH = 10_000;

interface PlainAnswerProps {
  /** Possible answers; `null` if any text is allowed. */
  readonly options: readonly string[] | null;
  /** Initial text or option. */
  readonly initial: string;
  readonly busy: boolean;
  /** Set if the answer cannot be sent. */
  readonly readOnly: boolean;
  onDraft(text: string): void;
  onSend(answer: string): void;
}

/**
 * Form for an answer that is a choice or a text. While it cannot be changed, its field keeps the focus, so that further
 * letters are not shortcuts of the page.
 */
export function PlainAnswer({ options, initial, busy, readOnly, onDraft, onSend }: PlainAnswerProps) {
  const [text, setText] = useState(initial);
  const empty = text.trim() === '';
  const isFixed = busy || readOnly;
  const changeText = (next: string): void => {
    if (isFixed) return;
    setText(next);
    onDraft(next);
  };
  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    if (!empty && !isFixed) onSend(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    // If the key is held down, its repetitions would reach the next form.
    if (event.repeat) event.preventDefault();
    else submit(event);
  };
  const onFormKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    chooseOptionByKey(event);
    onKeyDown(event);
  };
  return (
    <form onSubmit={submit} onKeyDown={onFormKeyDown}>
      <Stack gap="sm">
        {options !== null ? (
          <Radio.Group label={t.answer} value={text} onChange={changeText} readOnly={isFixed} required>
            <Stack gap="xs" mt="xs">
              {options.map((option, index) => (
                <Radio
                  key={option}
                  value={option}
                  label={<OptionLabel text={option} optionKey={getOptionKey(index)} />}
                  {...getOptionKeyProps(index)}
                />
              ))}
            </Stack>
          </Radio.Group>
        ) : (
          <Textarea
            label={t.answer}
            required
            readOnly={isFixed}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={MAX_TEXT_LENGTH}
            value={text}
            onChange={(event) => changeText(event.currentTarget.value)}
          />
        )}
        {!readOnly && (
          <Group>
            <Button type="submit" loading={busy} disabled={empty}>
              {t.send}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function OptionLabel({ text, optionKey }: { readonly text: string; readonly optionKey: string | undefined }) {
  return (
    <Text size="sm" component="span">
      {escapeInvisible(text)}
      {optionKey !== undefined && (
        <Kbd size="xs" ms="xs" aria-hidden>
          {optionKey}
        </Kbd>
      )}
    </Text>
  );
}
