import { Button, Group, Input } from '@mantine/core';
import { useId, useState, type KeyboardEvent } from 'react';
import { texts } from '../app/texts.js';
import { toAccelerator, formatAccelerator } from './accelerator.js';

const t = texts.presence;
const IS_MAC = navigator.platform.startsWith('Mac');

interface ShortcutFieldProps {
  /** Shortcut in Electron's notation; `null` if there is none. */
  readonly value: string | null;
  /** Whether another application uses the shortcut. */
  readonly taken: boolean;
  onChange(value: string | null): void;
}

/** Field for the global shortcut: a button that records the next keys pressed. */
export function ShortcutField({ value, taken, onChange }: ShortcutFieldProps) {
  const [isRecording, setIsRecording] = useState(false);
  const hintId = useId();
  const keys = value === null ? t.shortcutNone : formatAccelerator(value, IS_MAC);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isRecording || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const accelerator = toAccelerator(event.nativeEvent);
    if (accelerator === undefined && event.key !== 'Escape') return;
    setIsRecording(false);
    if (accelerator !== undefined) onChange(accelerator);
  };
  return (
    <Input.Wrapper
      label={t.shortcut}
      labelElement="div"
      description={t.shortcutHint}
      descriptionProps={{ id: hintId }}
      error={taken ? t.shortcutTaken : undefined}
      errorProps={{ role: 'alert' }}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <Group gap="xs" mt={6} mb={taken ? 6 : 0}>
        <Button
          variant={isRecording ? 'light' : 'default'}
          size="compact-md"
          miw={150}
          aria-label={isRecording ? t.shortcutPress : t.shortcutChange(keys)}
          aria-describedby={hintId}
          // While recording, Escape cancels the recording and does not close the dialog.
          data-mantine-stop-propagation={isRecording}
          onClick={() => setIsRecording(true)}
          onKeyDown={onKeyDown}
          onBlur={() => setIsRecording(false)}
        >
          {isRecording ? t.shortcutPress : keys}
        </Button>
        {value !== null && (
          <Button variant="subtle" color="gray" size="compact-md" onClick={() => onChange(null)}>
            {t.shortcutOff}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
