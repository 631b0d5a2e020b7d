import { Button, Group, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useState } from 'react';
import { describeOtherVoters, useInboxHost } from '../inbox/index.js';
import { ContinueAsButton } from '../session/continue-as-button.js';
import { useSession } from '../session/session.js';
import { useDevelopmentVoter } from '../session/use-development-voter.js';
import { useNow } from '../time/use-now.js';
import { texts } from '../texts/index.js';
import { copyText } from '../ui/copy-text.js';

const t = texts.approvals.otherVoters;

/** States who can decide an approval that the user may not decide, with a link to send to them. */
export function OtherVoters({ approval }: { readonly approval: Approval }) {
  const { me } = useSession();
  const voter = useDevelopmentVoter(approval);
  const host = useInboxHost();
  const [copyState, setCopyState] = useState<'copied' | 'failed'>();
  const now = useNow();
  const text = describeOtherVoters(approval, [me.subject, ...me.userNames], now);
  if (text === '') return null;
  const url = host.approvalUrl(approval.approvalId);
  const copy = (): void => {
    copyText(url).then(
      () => setCopyState('copied'),
      () => setCopyState('failed'),
    );
  };
  return (
    <>
      <Text size="sm">{text}</Text>
      <Group gap="xs" mt={6}>
        <Button size="xs" variant="default" onClick={copy}>
          {t.copyLink}
        </Button>
        {voter !== undefined && <ContinueAsButton user={voter} />}
        <Text size="sm" role="status">
          {copyState === undefined ? '' : copyState === 'copied' ? t.copied : t.failed(url)}
        </Text>
      </Group>
    </>
  );
}
