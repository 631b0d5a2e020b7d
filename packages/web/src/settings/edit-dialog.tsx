import { Dialog } from '@countersign/inbox-ui/ui/dialog';
import { Button, Group, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { JsonValue, Setting } from '@countersign/contract';
import { useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';
import { toInputText, isStringList, parseInput } from './setting-values.js';

const t = texts.settings;

interface EditDialogProps {
  readonly setting: Setting | undefined;
  readonly newValue: JsonValue | undefined;
  onApply(value: JsonValue | undefined): void;
  onClose(): void;
}

/** Edits one setting. The change is applied to the form but not saved yet. */
export function EditDialog({ setting, newValue, onApply, onClose }: EditDialogProps) {
  return (
    <Dialog
      title={setting === undefined ? '' : t.editTitle(setting.title)}
      opened={setting !== undefined}
      onClose={onClose}
    >
      {setting !== undefined && (
        <EditForm setting={setting} initialValue={newValue ?? setting.value} onApply={onApply} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface EditFormProps {
  readonly setting: Setting;
  readonly initialValue: JsonValue;
  onApply(value: JsonValue | undefined): void;
  onClose(): void;
}

function EditForm({ setting, initialValue, onApply, onClose }: EditFormProps) {
  const [inputText, setInputText] = useState(() => toInputText({ type: setting.type, value: initialValue }));
  const [errorMessage, setErrorMessage] = useState<string>();
  const apply = (event: FormEvent): void => {
    event.preventDefault();
    const parsed = parseInput(setting, inputText);
    if ('error' in parsed) setErrorMessage(t[parsed.error]);
    else onApply(JSON.stringify(parsed.value) === JSON.stringify(setting.value) ? undefined : parsed.value);
  };
  const isMultiline = setting.type === 'list' || setting.type === 'object';
  const fieldProps = { 'label': t.value, 'data-autofocus': true, 'error': errorMessage } as const;
  const changeText = (text: string): void => {
    setInputText(text);
    setErrorMessage(undefined);
  };
  return (
    <form onSubmit={apply}>
      <Stack>
        <div>
          <Text size="xs" c="dimmed" ff="monospace">
            {setting.key}
          </Text>
          {setting.description !== null && <Text size="sm">{setting.description}</Text>}
        </div>
        {isMultiline && (
          <Textarea
            {...fieldProps}
            description={
              setting.type === 'list' && (setting.value === null || isStringList(setting.value))
                ? t.listHint
                : t.objectHint
            }
            autosize
            minRows={4}
            maxRows={20}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={inputText}
            onChange={(event) => changeText(event.currentTarget.value)}
          />
        )}
        {(setting.type === 'integer' || setting.type === 'number') && (
          <NumberInput
            {...fieldProps}
            allowDecimal={setting.type === 'number'}
            hideControls
            value={inputText}
            onChange={(value) => changeText(String(value))}
          />
        )}
        {(setting.type === 'string' || setting.type === 'duration') && (
          <TextInput
            {...fieldProps}
            description={setting.type === 'duration' ? t.durationHint : undefined}
            value={inputText}
            onChange={(event) => changeText(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.app.cancel}
          </Button>
          <Button type="submit">{t.apply}</Button>
        </Group>
      </Stack>
    </form>
  );
}
