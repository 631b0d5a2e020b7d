import { Card, Center, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconShieldCheck } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import type { DesktopState } from '../../common/state.js';
import { DesktopPalette } from '../palette/desktop-palette.js';
import { useDesktopActions } from '../palette/use-desktop-actions.js';
import { ServerMenu } from './server-menu.js';

interface ScreenProps {
  readonly title: string;
  readonly state: DesktopState;
  readonly children: ReactNode;
}

/** One thing to do, in the middle of the window. */
export function Screen({ title, state, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  const [finding, { open, close }] = useDisclosure(false);
  useDesktopActions(state.session.kind === 'no-role', open);
  return (
    <div className="cd-window">
      {state.servers.length > 0 && (
        <header className="cd-header">
          <ServerMenu state={state} />
        </header>
      )}
      <Center component="main" className="cd-content">
        <Card withBorder shadow="sm" p="xl" w={440} maw="100%">
          <Stack>
            <Group gap="xs" wrap="nowrap">
              <IconShieldCheck size={28} color="var(--mantine-primary-color-filled)" aria-hidden />
              <Title order={1} size="h2">
                {title}
              </Title>
            </Group>
            {children}
          </Stack>
        </Card>
      </Center>
      <DesktopPalette state={state} opened={finding} onClose={close} />
    </div>
  );
}
