import { useSession } from '@countersign/inbox-ui/session/session';
import { toUserMessage } from '@countersign/inbox-ui/ui/to-user-message';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { texts } from '../../texts/index.js';
import { downloadEvidence } from './download-evidence.js';

interface EvidenceButtonProps {
  readonly runId: string;
  /** Whether this is the main action of its part of the page. */
  readonly isPrimary?: boolean;
}

/** Button that downloads the evidence pack of the run and shows the progress. */
export function EvidenceButton({ runId, isPrimary = false }: EvidenceButtonProps) {
  const { token } = useSession();
  const [receivedBytes, setReceivedBytes] = useState<number>();
  const download = async (): Promise<void> => {
    setReceivedBytes(0);
    try {
      await downloadEvidence(runId, token, setReceivedBytes);
    } catch (error) {
      notifications.show({ color: 'red', title: texts.run.evidence.failed, message: toUserMessage(error) });
    } finally {
      setReceivedBytes(undefined);
    }
  };
  return (
    <Button
      size="xs"
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={<IconDownload size={14} aria-hidden />}
      aria-disabled={receivedBytes !== undefined}
      onClick={() => receivedBytes === undefined && void download()}
    >
      {receivedBytes === undefined ? texts.run.evidence.download : texts.run.evidence.progress(receivedBytes)}
    </Button>
  );
}
