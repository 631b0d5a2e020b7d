import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { texts } from '../texts/index.js';
import { desktopLink } from './may-vote.js';

const t = texts.approvals.signing;

/** Where to decide what only a signed vote decides. The link opens the approval there, and decides nothing. */
export function SignElsewhere({ approvalId }: { readonly approvalId: string }) {
  return (
    <Alert color="blue" p="xs" icon={<IconSignature aria-hidden />} title={t.title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t.hint}</Text>
        <Button component="a" href={desktopLink(approvalId)} size="xs">
          {t.open}
        </Button>
      </Stack>
    </Alert>
  );
}
