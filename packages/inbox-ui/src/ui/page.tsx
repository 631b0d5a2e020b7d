import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from './use-title.js';

interface PageProps {
  readonly title: string;
  /** The name of the window, where it says more than the title. */
  readonly window?: string | undefined;
  /** In the place of the title on the page itself, where that is more than a text. */
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its heading; names the window. The content gets the height that is left, so that lists scroll in themselves; where little is left (a small
 * window, a long heading), the page scrolls instead. */
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
      <Box style={{ flex: 1, minHeight: 360, display: 'flex', flexDirection: 'column' }}>{children}</Box>
    </Box>
  );
}
