import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { IconCheck, IconDeviceFloppy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { toUserMessage } from '../ui/to-user-message.js';
import type { EvidenceSource } from './evidence-source.js';
import { useInboxHost, type PinnedEvidence } from './inbox-host.js';

const t = texts.approvals;

interface TakeEvidenceProps {
  readonly evidence: PinnedEvidence;
  readonly source: EvidenceSource;
  /** Label of the browser's download button; by default the artifact name is added for screen readers. */
  readonly label?: string;
  /** Called when the user has received the file. */
  onTaken?(): void;
}

type Saving =
  | { readonly state: 'idle' | 'asked' | 'saved' }
  | { readonly state: 'saving'; readonly received: number; readonly total: number | undefined }
  | { readonly state: 'failed'; readonly error: unknown };

/** Download control: saves through the host, with progress, or uses the browser's download. */
export function EvidenceDownload({ evidence, source, label, onTaken }: TakeEvidenceProps) {
  const { saveEvidence } = useInboxHost();
  const { runId, name, version } = evidence;
  const [saving, setSaving] = useState<Saving>({ state: 'idle' });
  if (saveEvidence === undefined) {
    return (
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        aria-label={label ?? `${t.download} ${name}`}
        onClick={() => {
          source.download(runId, name, version);
          onTaken?.();
        }}
      >
        {label ?? t.download}
      </Button>
    );
  }
  const save = (): void => {
    setSaving({ state: 'asked' });
    saveEvidence(evidence, (received, total) =>
      setSaving((now) =>
        now.state === 'asked' || now.state === 'saving' ? { state: 'saving', received, total } : now,
      ),
    ).then(
      (saved) => {
        setSaving({ state: saved ? 'saved' : 'idle' });
        if (saved) onTaken?.();
      },
      (error: unknown) => setSaving({ state: 'failed', error }),
    );
  };
  const busy = saving.state === 'asked' || saving.state === 'saving';
  const says = saving.state === 'saved' ? t.savedAgain : busy ? t.saving : t.save;
  return (
    <Stack gap={4} align="flex-start">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={
          saving.state === 'saved' ? <IconCheck size={14} aria-hidden /> : <IconDeviceFloppy size={14} aria-hidden />
        }
        aria-label={`${says} ${t.artifact(name, version)}`}
        disabled={busy}
        onClick={save}
      >
        {says}
      </Button>
      {saving.state === 'saving' && (
        <>
          <Progress
            w={180}
            size="sm"
            value={saving.total === undefined || saving.total === 0 ? 100 : (saving.received / saving.total) * 100}
            animated={saving.total === undefined}
            aria-label={t.savingOf(name)}
          />
          <Text size="xs" c="dimmed">
            {t.received(saving.received, saving.total)}
          </Text>
        </>
      )}
      {saving.state === 'saved' && (
        <Text size="xs" role="status">
          {t.saved}
        </Text>
      )}
      {saving.state === 'failed' && (
        <Alert color="red" p="xs" role="alert" maw={420}>
          <Text size="sm">{toUserMessage(saving.error)}</Text>
        </Alert>
      )}
    </Stack>
  );
}
