import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { texts } from '../texts/index.js';
import type { Signing } from './inbox-host.js';
import { buildDesktopLink } from './vote-permissions.js';

const t = texts.approvals.signing;

interface SignNoticeProps {
  readonly approvalId: string;
  readonly signing: Signing;
}

/**
 * Explains how to sign an approval that requires a signed vote: set up a key here, or decide on a device that has one.
 * The link opens the approval in the desktop client and has no other effect.
 */
export function SignNotice({ approvalId, signing }: SignNoticeProps) {
  const canSetUpHere = signing.kind === 'to-set-up';
  return (
    <Alert color="blue" p="xs" icon={<IconSignature aria-hidden />} title={t.title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{canSetUpHere ? t.setUpHint : t.hint}</Text>
        {canSetUpHere ? (
          <Button size="xs" onClick={signing.setUp}>
            {t.setUp}
          </Button>
        ) : (
          <Button component="a" href={buildDesktopLink(approvalId)} size="xs">
            {t.open}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
