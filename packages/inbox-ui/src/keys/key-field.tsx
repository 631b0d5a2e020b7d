import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useState, type KeyboardEvent } from 'react';
import { texts } from '../texts/index.js';
import type { KeyAction } from './key-actions.js';
import { Keys, formatKeys } from './keys-help.js';
import { readPressedKeys } from './read-pressed-keys.js';

const t = texts.keys.settings;

interface KeyFieldProps {
  readonly action: KeyAction;
  readonly keys: string | undefined;
  /** Whether the user has set the keys. */
  readonly isSet: boolean;
  /** @param keys `null`: none */
  onKeys(keys: string | null): void;
  /** Called when a reserved key was pressed. */
  onReserved(): void;
}

/** Field for the key of one action: a button that records the next key pressed. */
export function KeyField({
  action: { label, fixed, keys: defaultKeys },
  keys,
  isSet,
  onKeys,
  onReserved,
}: KeyFieldProps) {
  const [recordingStage, setRecordingStage] = useState<'no' | 'first' | 'second'>('no');
  const isRecording = recordingStage !== 'no';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isRecording) return;
    const pressed = readPressedKeys(event, recordingStage === 'second');
    // Tab moves the focus; every other key is recorded.
    if (event.key !== 'Tab') {
      event.preventDefault();
      event.stopPropagation();
    }
    if (pressed.kind === 'held') return;
    setRecordingStage(pressed.kind === 'first' ? 'second' : 'no');
    if (pressed.kind === 'keys') onKeys(pressed.keys);
    else if (pressed.kind === 'none') onKeys(null);
    else if (pressed.kind === 'kept') onReserved();
  };
  if (fixed === true) {
    return (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {t.fixed}
        </Text>
        {keys !== undefined && <Keys keys={keys} />}
      </Group>
    );
  }
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {isSet && (
        <ActionIcon
          variant="subtle"
          size={28}
          aria-label={t.reset(label)}
          title={t.reset(label)}
          onClick={() => onKeys(defaultKeys)}
        >
          <IconRestore size={16} aria-hidden />
        </ActionIcon>
      )}
      <Button
        variant={isRecording ? 'light' : 'default'}
        size="compact-md"
        miw={110}
        aria-label={isRecording ? t.press(label) : t.change(label, keys === undefined ? t.none : formatKeys(keys))}
        // Escape closes this field, not the dialog around it.
        data-mantine-stop-propagation={isRecording}
        onClick={() => setRecordingStage('first')}
        onKeyDown={onKeyDown}
        onBlur={() => setRecordingStage('no')}
      >
        {recordingStage === 'second' ? (
          t.second
        ) : isRecording ? (
          t.listening
        ) : keys === undefined ? (
          t.none
        ) : (
          <Keys keys={keys} />
        )}
      </Button>
    </Group>
  );
}
