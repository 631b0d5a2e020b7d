import { Menu, Text } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { texts } from '../app/texts.js';
import { useSigning } from './signing-provider.js';

const t = texts.signing;

/** Menu item for the signing key, for users who can vote. It shows the state of the key if the key needs attention. */
export function SigningMenuItem() {
  const { state, open } = useSigning();
  const { status } = state;
  if (status === 'off') return null;
  const statusText = status === 'ready' ? undefined : status === 'none' ? t.none : t.problems[status].short;
  return (
    <Menu.Item
      leftSection={<IconSignature size={16} aria-hidden />}
      rightSection={
        statusText === undefined ? undefined : (
          <Text size="xs" c="dimmed">
            {statusText}
          </Text>
        )
      }
      onClick={open}
    >
      {t.title}
    </Menu.Item>
  );
}
