import { Button, Group, Kbd, Modal, Stack, Table, Text, Title } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { Fragment } from 'react';
import { texts } from '../texts/index.js';
import type { AvailableAction } from './key-actions.js';

interface KeysHelpProps {
  readonly opened: boolean;
  onClose(): void;
  onSettings(): void;
  getAvailableActions(): readonly AvailableAction[];
}

/** Dialog that lists all keys that work now. */
export function KeysHelp({ opened, onClose, onSettings, getAvailableActions }: KeysHelpProps) {
  const groups = new Map<string, AvailableAction[]>();
  for (const action of opened ? getAvailableActions() : [])
    if (action.keys !== undefined) groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  return (
    <Modal opened={opened} onClose={onClose} title={texts.keys.title} size="lg">
      <Stack>
        <Group>
          <Button
            variant="default"
            leftSection={<IconKeyboard size={16} aria-hidden />}
            onClick={onSettings}
            data-autofocus
          >
            {texts.keys.change}
          </Button>
        </Group>
        {groups.size === 0 && <Text>{texts.keys.noneNow}</Text>}
        {[...groups].map(([group, actions]) => (
          <section key={group}>
            <Title order={3} size="h5" mb="xs">
              {group}
            </Title>
            <Table>
              <Table.Tbody>
                {actions.map(({ id, keys = '', label }) => (
                  <Table.Tr key={id}>
                    <Table.Td>{label}</Table.Td>
                    <Table.Td ta="right">
                      <Keys keys={keys} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
      </Stack>
    </Modal>
  );
}

/** Keys as displayed: `g r`, `Ctrl K`. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <Group component="span" gap={4} justify="flex-end" wrap="nowrap">
      {keys.split(' ').map((part, index) => (
        <Fragment key={index}>
          {keyNames(part).map((key) => (
            <Fragment key={key}>
              <Kbd>{key}</Kbd>{' '}
            </Fragment>
          ))}
        </Fragment>
      ))}
    </Group>
  );
}

/** Returns keys as text: `g r`, `Ctrl K`. */
export function formatKeys(keys: string): string {
  return keys.split(' ').flatMap(keyNames).join(' ');
}

function keyNames(part: string): readonly string[] {
  if (!part.startsWith('Mod+')) return [part];
  return [/Mac|iPhone/.test(navigator.userAgent) ? '⌘' : 'Ctrl', part.slice('Mod+'.length).toUpperCase()];
}
