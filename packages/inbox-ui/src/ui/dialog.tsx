import { Modal, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogProps {
  readonly title: string;
  readonly opened: boolean;
  onClose(): void;
  readonly children: ReactNode;
}

/**
 * A dialog with its own heading. Mantine renders the title of a dialog in a `header` element, which would be a second
 * banner of the page.
 */
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
