import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** Explanation, or advice for the user. */
  readonly hint?: string;
  readonly children?: ReactNode;
}

/** Placeholder for an empty list or a missing item. */
export function EmptyState({ title, hint, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" p="xl" ta="center">
      <Text fw={600}>{title}</Text>
      {hint !== undefined && <Text c="dimmed">{hint}</Text>}
      {children}
    </Stack>
  );
}
