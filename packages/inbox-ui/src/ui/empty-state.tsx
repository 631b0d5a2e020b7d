import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** What the user can do about it. */
  readonly hint?: string;
  readonly children?: ReactNode;
}

/** Placeholder of an empty list, with what could be there. */
export function EmptyState({ title, hint, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" p="xl" ta="center">
      <Text fw={600}>{title}</Text>
      {hint !== undefined && <Text c="dimmed">{hint}</Text>}
      {children}
    </Stack>
  );
}
