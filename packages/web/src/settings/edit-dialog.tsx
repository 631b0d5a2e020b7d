import { Dialog } from '@countersign/inbox-ui/ui/dialog';
import { Button, Group, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { JsonValue, Setting } from '@countersign/contract';
import { useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';
import { inputOf, isTextList, readInput } from './setting-values.js';

const { settings: t } = texts;

interface EditDialogProps {
  readonly setting: Setting | undefined;
  readonly changed: JsonValue | undefined;
  onTake(value: JsonValue | undefined): void;
  onClose(): void;
}

/** Edits one setting without saving it yet. */
export function EditDialog({ setting, changed, onTake, onClose }: EditDialogProps) {
  return (
    <Dialog
      title={setting === undefined ? '' : t.editTitle(setting.title)}
      opened={setting !== undefined}
      onClose={onClose}
    >
      {setting !== undefined && (
        <EditForm setting={setting} start={changed ?? setting.value} onTake={onTake} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface EditFormProps {
  readonly setting: Setting;
  readonly start: JsonValue;
  onTake(value: JsonValue | undefined): void;
  onClose(): void;
}

function EditForm({ setting, start, onTake, onClose }: EditFormProps) {
  const [typed, setTyped] = useState(() => inputOf({ type: setting.type, value: start }));
  const [fault, setFault] = useState<string>();
  const take = (event: FormEvent): void => {
    event.preventDefault();
    const read = readInput(setting, typed);
    if ('fault' in read) setFault(t[read.fault]);
    else onTake(JSON.stringify(read.value) === JSON.stringify(setting.value) ? undefined : read.value);
  };
  const lines = setting.type === 'list' || setting.type === 'object';
  const field = { 'label': t.value, 'data-autofocus': true, 'error': fault } as const;
  const change = (text: string): void => {
    setTyped(text);
    setFault(undefined);
  };
  return (
    <form onSubmit={take}>
      <Stack>
        <div>
          <Text size="xs" c="dimmed" ff="monospace">
            {setting.key}
          </Text>
          {setting.description !== null && <Text size="sm">{setting.description}</Text>}
        </div>
        {lines && (
          <Textarea
            {...field}
            description={
              setting.type === 'list' && (setting.value === null || isTextList(setting.value))
                ? t.listHint
                : t.objectHint
            }
            autosize
            minRows={4}
            maxRows={20}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={typed}
            onChange={(event) => change(event.currentTarget.value)}
          />
        )}
        {(setting.type === 'integer' || setting.type === 'number') && (
          <NumberInput
            {...field}
            allowDecimal={setting.type === 'number'}
            hideControls
            value={typed}
            onChange={(value) => change(String(value))}
          />
        )}
        {(setting.type === 'string' || setting.type === 'duration') && (
          <TextInput
            {...field}
            description={setting.type === 'duration' ? t.durationHint : undefined}
            value={typed}
            onChange={(event) => change(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.app.cancel}
          </Button>
          <Button type="submit">{t.take}</Button>
        </Group>
      </Stack>
    </form>
  );
}
