import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { IconCheck, IconDeviceFloppy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { toUserMessage } from '../ui/to-user-message.js';
import type { EvidenceSource } from './evidence-source.js';
import { useInboxHost, type PinnedEvidence } from './inbox-host.js';

const t = texts.approvals;

interface EvidenceDownloadProps {
  readonly evidence: PinnedEvidence;
  readonly source: EvidenceSource;
  /** Label of the browser's download button; by default the artifact name is added for screen readers. */
  readonly label?: string;
  /** Called when the file was saved or its download was started. */
  onDownloaded?(): void;
}

type SaveState =
  | { readonly state: 'idle' | 'asked' | 'saved' }
  | { readonly state: 'saving'; readonly received: number; readonly total: number | undefined }
  | { readonly state: 'failed'; readonly error: unknown };

/** Download button: saves the file through the host and shows the progress, or uses the browser's download. */
export function EvidenceDownload({ evidence, source, label, onDownloaded }: EvidenceDownloadProps) {
  const { saveEvidence } = useInboxHost();
  const { runId, name, version } = evidence;
  const [saveState, setSaveState] = useState<SaveState>({ state: 'idle' });
  if (saveEvidence === undefined) {
    return (
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        aria-label={label ?? `${t.download} ${name}`}
        onClick={() => {
          source.download(runId, name, version);
          onDownloaded?.();
        }}
      >
        {label ?? t.download}
      </Button>
    );
  }
  const save = (): void => {
    setSaveState({ state: 'asked' });
    saveEvidence(evidence, (received, total) =>
      setSaveState((current) =>
        current.state === 'asked' || current.state === 'saving' ? { state: 'saving', received, total } : current,
      ),
    ).then(
      (saved) => {
        setSaveState({ state: saved ? 'saved' : 'idle' });
        if (saved) onDownloaded?.();
      },
      (error: unknown) => setSaveState({ state: 'failed', error }),
    );
  };
  const busy = saveState.state === 'asked' || saveState.state === 'saving';
  const buttonLabel = saveState.state === 'saved' ? t.savedAgain : busy ? t.saving : t.save;
  return (
    <Stack gap={4} align="flex-start">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={
          saveState.state === 'saved' ? <IconCheck size={14} aria-hidden /> : <IconDeviceFloppy size={14} aria-hidden />
        }
        aria-label={`${buttonLabel} ${t.artifact(name, version)}`}
        disabled={busy}
        onClick={save}
      >
        {buttonLabel}
      </Button>
      {saveState.state === 'saving' && (
        <>
          <Progress
            w={180}
            size="sm"
            value={
              saveState.total === undefined || saveState.total === 0
                ? 100
                : (saveState.received / saveState.total) * 100
            }
            animated={saveState.total === undefined}
            aria-label={t.savingOf(name)}
          />
          <Text size="xs" c="dimmed">
            {t.received(saveState.received, saveState.total)}
          </Text>
        </>
      )}
      {saveState.state === 'saved' && (
        <Text size="xs" role="status">
          {t.saved}
        </Text>
      )}
      {saveState.state === 'failed' && (
        <Alert color="red" p="xs" role="alert" maw={420}>
          <Text size="sm">{toUserMessage(saveState.error)}</Text>
        </Alert>
      )}
    </Stack>
  );
}
