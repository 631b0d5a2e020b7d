import { Modal, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogProps {
  readonly title: string;
  readonly opened: boolean;
  onClose(): void;
  readonly children: ReactNode;
}

/** A dialog whose heading is its own, as that of the kit is a `header`, which would make a second banner of the page. */
export function Dialog({ title, opened, onClose, children }: DialogProps) {
  return (
    <Modal.Root opened={opened} onClose={onClose} size="lg">
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Body pt="md">
          <Stack>
            <Title order={2} size="h4">
              {title}
            </Title>
            {children}
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
