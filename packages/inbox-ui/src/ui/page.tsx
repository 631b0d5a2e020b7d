import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from './use-title.js';

interface PageProps {
  readonly title: string;
  /** Window title; by default the `title`. */
  readonly window?: string | undefined;
  /** Heading on the page, if it is more than text; by default the `title`. */
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A page with its heading; sets the window title. The content fills the remaining height, so that lists scroll
 * internally. If little height remains (a small window, a long heading), the page scrolls instead.
 */
export function Page({ title, window, heading, actions, children }: PageProps) {
  useTitle(window ?? title);
  return (
    <Box h="100%" style={{ display: 'flex', flexDirection: 'column' }}>
      <Group className="cs-page-head" justify="space-between" mb="sm" wrap="wrap" gap="sm">
        <Title order={1} size="h3">
          {heading ?? title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      <Box className="cs-page-content">{children}</Box>
    </Box>
  );
}
