import { Card, Group, Stack, Title } from '@mantine/core';
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

/** A screen with a single task, in the middle of the window. */
export function Screen({ title, state, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  const [isPaletteOpen, { open, close }] = useDisclosure(false);
  useDesktopActions(state.session.kind === 'no-role', open);
  return (
    <div className="cd-window">
      {state.servers.length > 0 && (
        <header className="cd-header">
          <ServerMenu state={state} />
        </header>
      )}
      <main className="cd-content cd-centre">
        <Card withBorder shadow="sm" p="xl" m="auto" w={460} maw="100%" style={{ flex: 'none' }}>
          <Stack>
            <Group gap="xs" wrap="nowrap" align="flex-start">
              <IconShieldCheck size={26} color="var(--mantine-primary-color-filled)" aria-hidden />
              <Title order={1} size="h3">
                {title}
              </Title>
            </Group>
            {children}
          </Stack>
        </Card>
      </main>
      <DesktopPalette state={state} opened={isPaletteOpen} onClose={close} />
    </div>
  );
}
