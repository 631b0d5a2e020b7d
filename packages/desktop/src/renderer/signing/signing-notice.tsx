import { Alert, Button, Group, Text } from '@mantine/core';
import { texts } from '../app/texts.js';
import { useSigning } from './signing-provider.js';

/** Shows a problem with the key of this device before the user votes. */
export function SigningNotice() {
  const { state, open } = useSigning();
  const { status } = state;
  if (status === 'off' || status === 'none' || status === 'ready') return null;
  return (
    <Alert color="yellow" radius={0} p="xs" role="status">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" fw={600}>
          {texts.signing.problems[status].title}
        </Text>
        <Button size="compact-sm" variant="default" onClick={open}>
          {texts.signing.review}
        </Button>
      </Group>
    </Alert>
  );
}
