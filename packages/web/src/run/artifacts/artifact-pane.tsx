import { useClient } from '@countersign/inbox-ui/api/client-context';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { CopyButton } from '@countersign/inbox-ui/ui/copy-button';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { saveFile } from '@countersign/inbox-ui/ui/save-file';
import { TextDiff } from '@countersign/inbox-ui/ui/text-diff';
import { Button, CloseButton, Group, NativeSelect, Stack, Title } from '@mantine/core';
import type { Artifact } from '@countersign/contract';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { texts } from '../../texts/index.js';
import { ArtifactPreview } from './artifact-preview.js';
import { formatBytes } from './format-bytes.js';
import { readDownload, type Progress } from './transfer.js';
import { TransferProgress } from './upload-area.js';
import { useArtifactPreview } from './use-artifact-preview.js';

const t = texts.artifacts;

interface ArtifactPaneProps {
  readonly runId: string;
  readonly artifact: Artifact;
  /** All versions with the same name, newest first. */
  readonly versions: readonly Artifact[];
  onVersionChange(version: number): void;
  onClose(): void;
}

/** Shows the details and the content of one artifact. */
export function ArtifactPane({ runId, artifact, versions, onVersionChange, onClose }: ArtifactPaneProps) {
  const [isComparing, setIsComparing] = useState(false);
  const { name, version, size, contentType, sha256, createdAt, createdBy } = artifact;
  const previousVersion = versions.find((each) => each.version === version - 1);
  return (
    <Stack component="section" gap="xs" className="cs-artifact" aria-label={name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <CloseButton aria-label={t.close} onClick={onClose} />
      </Group>
      <Facts
        facts={[
          [t.type, contentType],
          [t.size, formatBytes(size)],
          [
            t.created,
            <span key="created">
              <Timestamp at={createdAt} /> · {createdBy}
            </span>,
          ],
          [
            t.digest,
            <Group key="digest" gap={2} wrap="nowrap">
              <code>{sha256.slice(0, 16)}…</code>
              <CopyButton text={() => sha256} label={t.copyDigest} />
            </Group>,
          ],
        ]}
      />
      <Group gap="xs">
        {versions.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t.version}
            value={String(version)}
            onChange={(event) => onVersionChange(Number(event.currentTarget.value))}
            data={versions.map((each) => ({ value: String(each.version), label: `${t.version} ${each.version}` }))}
          />
        )}
        <DownloadButton runId={runId} artifact={artifact} />
        {previousVersion !== undefined && (
          <Button size="xs" variant="default" onClick={() => setIsComparing(!isComparing)}>
            {isComparing ? t.compareEnd : t.compare(previousVersion.version)}
          </Button>
        )}
      </Group>
      {isComparing && previousVersion !== undefined ? (
        <Comparison runId={runId} before={previousVersion} after={artifact} />
      ) : (
        <ArtifactPreview runId={runId} artifact={artifact} />
      )}
    </Stack>
  );
}

function DownloadButton({
  runId,
  artifact: { name, version },
}: {
  readonly runId: string;
  readonly artifact: Artifact;
}) {
  const client = useClient();
  const [progress, setProgress] = useState<{ readonly value: Progress }>();
  const [error, setError] = useState<unknown>();
  const controllerRef = useRef<AbortController>(undefined);
  const startDownload = async (): Promise<void> => {
    const abortController = new AbortController();
    controllerRef.current = abortController;
    setError(undefined);
    setProgress({ value: 0 });
    try {
      const download = await client.downloadArtifact(
        { runId, artifactName: name, version },
        { signal: abortController.signal },
      );
      const bytes = await readDownload(download, (value) => setProgress({ value }));
      // A generic type, so that the browser saves the file and never opens it.
      saveFile(name, new Blob([bytes], { type: 'application/octet-stream' }));
    } catch (failure) {
      if (!abortController.signal.aborted) setError(failure);
    } finally {
      setProgress(undefined);
    }
  };
  if (progress !== undefined)
    return (
      <TransferProgress
        label={t.downloading(name)}
        progress={progress.value}
        onStop={() => controllerRef.current?.abort()}
      />
    );
  return (
    <>
      <Button
        size="xs"
        variant="light"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => void startDownload()}
      >
        {t.download}
      </Button>
      {error !== undefined && <ProblemNotice error={error} />}
    </>
  );
}

function Comparison({
  runId,
  before,
  after,
}: {
  readonly runId: string;
  readonly before: Artifact;
  readonly after: Artifact;
}) {
  const [beforePreview, afterPreview] = [useArtifactPreview(runId, before), useArtifactPreview(runId, after)];
  const error = beforePreview.error ?? afterPreview.error;
  if (error !== null) return <ProblemNotice error={error} />;
  if (beforePreview.data === undefined || afterPreview.data === undefined) return <Loading />;
  if (!('text' in beforePreview.data.preview) || !('text' in afterPreview.data.preview)) return <p>{t.binary}</p>;
  return (
    <TextDiff
      before={beforePreview.data.preview.text}
      after={afterPreview.data.preview.text}
      isTruncated={!beforePreview.data.isComplete || !afterPreview.data.isComplete}
      label={t.difference(after.name)}
      path={after.name}
      beforeLabel={`${t.version} ${before.version}`}
      afterLabel={`${t.version} ${after.version}`}
    />
  );
}
