import { Group, Kbd, Modal, Stack, Table, Title } from '@mantine/core';
import { Fragment } from 'react';
import { texts } from '../texts/index.js';
import type { Shortcut } from './keys-provider.js';

interface KeysHelpProps {
  readonly opened: boolean;
  onClose(): void;
  groups(): readonly { readonly group: string; readonly shortcuts: readonly Shortcut[] }[];
}

/** All keys that do something now. */
export function KeysHelp({ opened, onClose, groups }: KeysHelpProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={texts.keys.title} size="lg">
      <Stack>
        {opened &&
          groups().map(({ group, shortcuts }) => (
            <section key={group}>
              <Title order={3} size="h5" mb="xs">
                {group}
              </Title>
              <Table>
                <Table.Tbody>
                  {shortcuts.map(({ keys, label }) => (
                    <Table.Tr key={keys}>
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

/** Keys as they are drawn: `g r`, `Ctrl K`. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {keys.split(' ').map((part, index) => (
        <Fragment key={index}>
          {part.split('+').map((key) => (
            <Kbd key={key}>{key === 'Mod' ? (/Mac|iPhone/.test(navigator.userAgent) ? '⌘' : 'Ctrl') : key.length === 1 && part.includes('+') ? key.toUpperCase() : key}</Kbd>
          ))}
        </Fragment>
      ))}
    </Group>
  );
}
