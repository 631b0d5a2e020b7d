import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { useSession } from '@countersign/inbox-ui/session/session';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { UserFacingError } from '@countersign/inbox-ui/ui/user-facing-error';
import { Alert, Button, FileButton, Group, Progress as Bar, Stack, Text } from '@mantine/core';
import { createClient, isArtifactName } from '@countersign/contract';
import { useQueryClient } from '@tanstack/react-query';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import { createUploadFetch, type Progress } from './transfer.js';

const t = texts.artifacts;

interface Upload {
  readonly name: string;
  readonly progress: Progress;
}

/**
 * Uploads files that the user selects or drops. Each file becomes a new artifact, or the next version of the artifact
 * with the same name.
 */
export function UploadArea({ runId, children }: { readonly runId: string; readonly children: ReactNode }) {
  const { token } = useSession();
  const queryClient = useQueryClient();
  const [upload, setUpload] = useState<Upload>();
  const [uploadedNotes, setUploadedNotes] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>();
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const controllerRef = useRef<AbortController>(undefined);

  const uploadFiles = async (files: readonly File[]): Promise<void> => {
    setError(undefined);
    setUploadedNotes([]);
    const abortController = new AbortController();
    controllerRef.current = abortController;
    for (const file of files) {
      if (!isArtifactName(file.name)) throw new UserFacingError(t.invalidName(file.name));
      setUpload({ name: file.name, progress: 0 });
      const client = createClient({
        baseUrl: BASE_URL,
        token,
        retries: 0,
        fetch: createUploadFetch((progress) => setUpload({ name: file.name, progress })),
      });
      const artifact = await client.uploadArtifact(
        {
          runId,
          artifactName: file.name,
          body: file,
          contentType: file.type === '' ? 'application/octet-stream' : file.type,
        },
        { signal: abortController.signal },
      );
      setUploadedNotes((notes) => [...notes, t.uploaded(artifact.name, artifact.version)]);
    }
  };
  const startUpload = (files: readonly File[]): void => {
    if (files.length === 0 || upload !== undefined) return;
    uploadFiles(files)
      .catch((failure: unknown) => {
        if (controllerRef.current?.signal.aborted !== true) setError(failure);
      })
      .finally(() => {
        setUpload(undefined);
        void queryClient.invalidateQueries({ queryKey: ['run', runId] });
      });
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsDraggedOver(false);
    startUpload([...event.dataTransfer.files]);
  };
  return (
    <div
      className="cs-upload"
      data-over={isDraggedOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={(event) =>
        event.currentTarget.contains(event.relatedTarget as Node | null) || setIsDraggedOver(false)
      }
      onDrop={onDrop}
    >
      <Stack gap="xs" mb="xs">
        <Group gap="sm">
          <FileButton multiple onChange={startUpload}>
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="light"
                leftSection={<IconUpload size={14} aria-hidden />}
                disabled={upload !== undefined}
              >
                {t.upload}
              </Button>
            )}
          </FileButton>
          <Text size="xs" c="dimmed">
            {t.drop}
          </Text>
        </Group>
        {upload !== undefined && (
          <TransferProgress
            label={t.uploading(upload.name)}
            progress={upload.progress}
            onStop={() => controllerRef.current?.abort()}
          />
        )}
        {uploadedNotes.length > 0 && (
          <Alert
            color="green"
            role="status"
            withCloseButton
            onClose={() => setUploadedNotes([])}
            closeButtonLabel={t.close}
          >
            {uploadedNotes.map((note) => (
              <div key={note}>{note}</div>
            ))}
          </Alert>
        )}
        {error !== undefined && <ProblemNotice error={error} />}
      </Stack>
      {children}
    </div>
  );
}

/** Shows the progress of a transfer. */
export function TransferProgress({
  label,
  progress,
  onStop,
}: {
  readonly label: string;
  readonly progress: Progress;
  onStop(): void;
}) {
  const percent = Math.round((progress ?? 0) * 100);
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {label} {progress === undefined ? '' : `${percent} %`}
      </Text>
      <Bar.Root style={{ flex: 1, minWidth: 60 }}>
        <Bar.Section
          value={progress === undefined ? 100 : percent}
          striped={progress === undefined}
          animated={progress === undefined}
          aria-label={label}
        />
      </Bar.Root>
      <Button size="compact-xs" variant="default" onClick={onStop}>
        {t.stop}
      </Button>
    </Group>
  );
}
