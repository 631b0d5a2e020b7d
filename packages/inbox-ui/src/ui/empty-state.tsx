import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** What to do about it. */
  readonly hint?: string;
  readonly children?: ReactNode;
}

/** Nothing is here, and what could be. */
export function EmptyState({ title, hint, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" p="xl" ta="center">
      <Text fw={600}>{title}</Text>
      {hint !== undefined && <Text c="dimmed">{hint}</Text>}
      {children}
    </Stack>
  );
}
