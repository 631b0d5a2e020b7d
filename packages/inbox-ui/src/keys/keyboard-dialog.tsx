import { Button, Group, Modal, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import type { KeyAction, KeyGroup } from './key-actions.js';
import { buildKeyMap, findConflictingAction } from './key-map.js';
import { KeyField } from './key-field.js';
import { formatKeys } from './keys-help.js';
import { DEFAULT_SHORTCUT_SETTINGS, type ShortcutSettings } from './shortcut-settings.js';

const t = texts.keys.settings;

interface KeyboardDialogProps {
  readonly opened: boolean;
  onClose(): void;
  readonly groups: readonly KeyGroup[];
  readonly settings: ShortcutSettings;
  onSettings(settings: ShortcutSettings): void;
}

/** Dialog to change the keys of actions. Refuses keys that clash, and names the other action. */
export function KeyboardDialog({ opened, onClose, groups, settings, onSettings }: KeyboardDialogProps) {
  const keyMap = buildKeyMap(groups, settings);
  /** The last message, and the action that it is about. */
  const [actionMessage, setActionMessage] = useState<{
    readonly id: string;
    readonly text: string;
    readonly refused: boolean;
  }>();
  const changeKeys = ({ id, label, keys: defaultKeys }: KeyAction, keys: string | null): void => {
    const other = keys === null ? undefined : findConflictingAction(groups, settings, id, keys);
    if (other !== undefined) {
      setActionMessage({ id, text: t.taken(formatKeys(keys ?? ''), other.label), refused: true });
      return;
    }
    const { [id]: _, ...rest } = settings.keys;
    onSettings({ ...settings, keys: keys === defaultKeys ? rest : { ...rest, [id]: keys } });
    setActionMessage({ id, text: keys === null ? t.hasNone(label) : t.has(label, formatKeys(keys)), refused: false });
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.title}
      size="xl"
      onExitTransitionEnd={() => setActionMessage(undefined)}
    >
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
                      {actionMessage?.id === action.id && (
                        <Text
                          size="sm"
                          c={actionMessage.refused ? 'red' : 'dimmed'}
                          role={actionMessage.refused ? 'alert' : 'status'}
                        >
                          {actionMessage.text}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>
                      <KeyField
                        action={action}
                        keys={keyMap.get(action.id)}
                        isSet={Object.hasOwn(settings.keys, action.id)}
                        onKeys={(keys) => changeKeys(action, keys)}
                        onReserved={() => setActionMessage({ id: action.id, text: t.reserved, refused: true })}
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
            onClick={() => onSettings({ ...settings, keys: DEFAULT_SHORTCUT_SETTINGS.keys })}
          >
            {t.resetAll}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
