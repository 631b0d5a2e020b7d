import { Alert, FileButton, Button, Group, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState, type DragEvent } from 'react';
import { texts } from '../texts/index.js';

const { deployment: t } = texts.workflows;
/**
 * Maximum file size, in bytes. It exceeds the default limit of the server; larger files are refused before the browser
 * reads them.
 */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface SelectedFile {
  /** Sequence number of the selected file. */
  readonly id: number;
  readonly name: string;
  readonly text: string;
}

interface DropZoneProps {
  readonly compact: boolean;
  readonly fileName: string | undefined;
  onFile(file: SelectedFile): void;
}

/** Accepts a file by drop or selection, and reads it as UTF-8. */
export function DropZone({ compact, fileName, onFile }: DropZoneProps) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const [failure, setFailure] = useState<string>();
  const reset = useRef<() => void>(null);
  const fileCount = useRef(0);
  const readFile = (file: File | null | undefined): void => {
    if (file === null || file === undefined) return;
    setFailure(undefined);
    // Allows the same file to be selected again after a change.
    reset.current?.();
    if (file.size > MAX_FILE_BYTES) return setFailure(t.tooLarge(file.size));
    const id = (fileCount.current += 1);
    file.arrayBuffer().then(
      (bytes) => {
        try {
          onFile({ id, name: file.name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) });
        } catch {
          setFailure(t.notText);
        }
      },
      () => setFailure(t.notText),
    );
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsDraggedOver(false);
    readFile(event.dataTransfer.files[0]);
  };
  const button = (
    <FileButton
      resetRef={reset}
      onChange={readFile}
      accept=".bpmn,.xml,application/xml,text/xml"
      inputProps={{ 'aria-label': t.choose }}
    >
      {(props) => (
        <Button {...props} variant={compact ? 'default' : 'filled'} size={compact ? 'xs' : 'sm'}>
          {compact ? t.chooseAnother : t.choose}
        </Button>
      )}
    </FileButton>
  );
  return (
    <div
      className="cs-drop"
      data-over={isDraggedOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={onDrop}
      style={{ marginBottom: 12 }}
    >
      {compact ? (
        <Group p="xs" justify="space-between">
          <Text size="sm" fw={600}>
            {fileName}
          </Text>
          {button}
        </Group>
      ) : (
        <Stack align="center" p={64} gap="xs">
          <IconUpload size={36} aria-hidden />
          <Text fw={600}>{t.drop}</Text>
          <Text c="dimmed" size="sm">
            {t.or}
          </Text>
          {button}
          <Text c="dimmed" size="sm">
            {t.hint}
          </Text>
        </Stack>
      )}
      {failure !== undefined && (
        <Alert color="red" role="alert" m="xs">
          {failure}
        </Alert>
      )}
    </div>
  );
}
