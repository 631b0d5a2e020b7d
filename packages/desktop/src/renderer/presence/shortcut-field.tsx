import { Button, Group, Input } from '@mantine/core';
import { useId, useState, type KeyboardEvent } from 'react';
import { texts } from '../app/texts.js';
import { acceleratorOf, acceleratorText } from './accelerator.js';

const t = texts.presence;
const MAC = navigator.platform.startsWith('Mac');

interface ShortcutFieldProps {
  /** In Electron's notation; `null`: none. */
  readonly value: string | null;
  readonly taken: boolean;
  onChange(value: string | null): void;
}

/** Field for the global shortcut: a button that records the next keys pressed. */
export function ShortcutField({ value, taken, onChange }: ShortcutFieldProps) {
  const [listens, setListens] = useState(false);
  const hint = useId();
  const keys = value === null ? t.shortcutNone : acceleratorText(value, MAC);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!listens || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const pressed = acceleratorOf(event.nativeEvent);
    if (pressed === undefined && event.key !== 'Escape') return;
    setListens(false);
    if (pressed !== undefined) onChange(pressed);
  };
  return (
    <Input.Wrapper
      label={t.shortcut}
      labelElement="div"
      description={t.shortcutHint}
      descriptionProps={{ id: hint }}
      error={taken ? t.shortcutTaken : undefined}
      errorProps={{ role: 'alert' }}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <Group gap="xs" mt={6} mb={taken ? 6 : 0}>
        <Button
          variant={listens ? 'light' : 'default'}
          size="compact-md"
          miw={150}
          aria-label={listens ? t.shortcutPress : t.shortcutChange(keys)}
          aria-describedby={hint}
          // Escape closes this field, not the dialog around it.
          data-mantine-stop-propagation={listens}
          onClick={() => setListens(true)}
          onKeyDown={onKeyDown}
          onBlur={() => setListens(false)}
        >
          {listens ? t.shortcutPress : keys}
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
