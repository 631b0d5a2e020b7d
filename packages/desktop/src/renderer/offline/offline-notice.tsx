import { Alert, Button, Group, Text } from '@mantine/core';
import { Timestamp } from '@countersign/inbox-ui';
import { IconCloudOff } from '@tabler/icons-react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';

/**
 * Notice that cached data is displayed, with its time.
 *
 * @param asOf in ms since the epoch
 */
export function OfflineNotice({ asOf }: { readonly asOf: number }) {
  return (
    <Alert color="yellow" role="status" icon={<IconCloudOff aria-hidden />} radius={0} p="xs">
      <Group justify="space-between" gap="sm">
        <Text size="sm" component="div">
          <strong>
            {texts.offlineAsOf} <Timestamp at={new Date(asOf).toISOString()} />.
          </strong>{' '}
          {texts.offlineHint}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void bridge.retry()}>
          {texts.retry}
        </Button>
      </Group>
    </Alert>
  );
}
