import { CloseButton, Drawer, Group, Title } from '@mantine/core';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';

interface SidePanelProps {
  /** Heading of the panel. */
  readonly title: string;
  readonly opened: boolean;
  readonly size?: string;
  onClose(): void;
  readonly children: ReactNode;
}

/**
 * Shows an item of a list in a panel beside the list. The heading is custom, because the UI kit renders a `header`
 * element, which would be a second banner landmark of the page. The panel keeps its content while it slides out.
 */
export function SidePanel({ title, opened, size = 'lg', onClose, children }: SidePanelProps) {
  const lastContent = useRef({ title, children });
  if (opened) lastContent.current = { title, children };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape' && event.currentTarget.contains(event.target as Node)) onClose();
  };
  return (
    // The UI kit would close the panel on Escape even in a dialog opened from it, which handles Escape itself.
    <Drawer.Root opened={opened} onClose={onClose} position="right" size={size} closeOnEscape={false}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={lastContent.current.title} onKeyDownCapture={onKeyDown}>
        <Drawer.Body pt="md">
          <Group justify="space-between" wrap="nowrap" mb="sm">
            <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
              {lastContent.current.title}
            </Title>
            <CloseButton aria-label={texts.app.close} onClick={onClose} />
          </Group>
          {lastContent.current.children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
