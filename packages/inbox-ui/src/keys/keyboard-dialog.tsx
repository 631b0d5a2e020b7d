import { Button, Group, Modal, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import type { KeyAction, KeyGroup } from './key-actions.js';
import { keyMapOf, takenBy } from './key-map.js';
import { KeyField } from './key-field.js';
import { keysText } from './keys-help.js';
import { USUAL_KEYS, type KeySettings } from './key-settings.js';

const t = texts.keys.settings;

interface KeyboardDialogProps {
  readonly opened: boolean;
  onClose(): void;
  readonly groups: readonly KeyGroup[];
  readonly settings: KeySettings;
  onSettings(settings: KeySettings): void;
}

/** Dialog to change the keys of actions. Refuses keys that clash, and names the other action. */
export function KeyboardDialog({ opened, onClose, groups, settings, onSettings }: KeyboardDialogProps) {
  const map = keyMapOf(groups, settings);
  /** The last message, and the action that it is about. */
  const [said, setSaid] = useState<{ readonly id: string; readonly text: string; readonly refused: boolean }>();
  const set = ({ id, label, keys: usual }: KeyAction, keys: string | null): void => {
    const other = keys === null ? undefined : takenBy(groups, settings, id, keys);
    if (other !== undefined) {
      setSaid({ id, text: t.taken(keysText(keys ?? ''), other.label), refused: true });
      return;
    }
    const { [id]: _, ...rest } = settings.keys;
    onSettings({ ...settings, keys: keys === usual ? rest : { ...rest, [id]: keys } });
    setSaid({ id, text: keys === null ? t.hasNone(label) : t.has(label, keysText(keys)), refused: false });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t.title} size="xl" onExitTransitionEnd={() => setSaid(undefined)}>
      <Stack pt={4}>
        <Switch
          label={t.characters}
          description={t.charactersHint}
          checked={settings.characters}
          onChange={({ currentTarget }) => onSettings({ ...settings, characters: currentTarget.checked })}
          data-autofocus
        />
        {groups.map(({ title, actions }) => (
          <section key={title} aria-label={title}>
            <Title order={3} size="h5" mb="xs">
              {title}
            </Title>
            <Table layout="auto" verticalSpacing={4}>
              <Table.Tbody>
                {actions.map((action) => (
                  <Table.Tr key={action.id}>
                    <Table.Td>
                      {action.label}
                      {said?.id === action.id && (
                        <Text size="sm" c={said.refused ? 'red' : 'dimmed'} role={said.refused ? 'alert' : 'status'}>
                          {said.text}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>
                      <KeyField
                        action={action}
                        keys={map.get(action.id)}
                        isSet={Object.hasOwn(settings.keys, action.id)}
                        onKeys={(keys) => set(action, keys)}
                        onKept={() => setSaid({ id: action.id, text: t.kept, refused: true })}
                      />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" flex={1} miw={200}>
            {t.hint}
          </Text>
          <Button
            variant="default"
            disabled={Object.keys(settings.keys).length === 0}
            onClick={() => onSettings({ ...settings, keys: USUAL_KEYS.keys })}
          >
            {t.resetAll}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
