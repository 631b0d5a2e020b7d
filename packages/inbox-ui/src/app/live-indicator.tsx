import { Box, Group, Text, Tooltip } from '@mantine/core';
import { useLiveStatus } from '../api/live-updates.js';
import { texts } from '../texts/index.js';

const COLORS = { connecting: 'var(--cs-muted)', live: 'var(--cs-done)', polling: 'var(--cs-waiting)' };

/** Shows whether the displayed data is current. */
export function LiveIndicator() {
  const status = useLiveStatus();
  return (
    <Tooltip label={texts.app.live[status]}>
      <Group gap={6} wrap="nowrap" role="status" data-live={status}>
        <Box w={8} h={8} style={{ borderRadius: '50%', background: COLORS[status] }} aria-hidden />
        <Text size="xs" c="dimmed" visibleFrom="sm">
          {status === 'polling' ? texts.app.notLive : texts.app.live[status]}
        </Text>
      </Group>
    </Tooltip>
  );
}
