import { CloseButton, Drawer, Group, Title } from '@mantine/core';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';

interface SidePanelProps {
  /** What it shows, in its heading. */
  readonly title: string;
  readonly opened: boolean;
  readonly size?: string;
  onClose(): void;
  readonly children: ReactNode;
}

/**
 * One item of a list, beside it. Its heading is its own, as that of the kit is a `header`, which would make a second banner of
 * the page. What it says stays while it slides out.
 */
export function SidePanel({ title, opened, size = 'lg', onClose, children }: SidePanelProps) {
  const last = useRef({ title, children });
  if (opened) last.current = { title, children };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape' && event.currentTarget.contains(event.target as Node)) onClose();
  };
  return (
    // The kit would take Escape wherever it is pressed, also in a dialog that this opened, which closes by itself.
    <Drawer.Root opened={opened} onClose={onClose} position="right" size={size} closeOnEscape={false}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={last.current.title} onKeyDownCapture={onKeyDown}>
        <Drawer.Body pt="md">
          <Group justify="space-between" wrap="nowrap" mb="sm">
            <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
              {last.current.title}
            </Title>
            <CloseButton aria-label={texts.app.close} onClick={onClose} />
          </Group>
          {last.current.children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
