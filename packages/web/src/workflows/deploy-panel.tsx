import { Page } from '@countersign/inbox-ui/ui/page';
import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { CheckedFile } from './checked-file.js';
import { DropZone, type SelectedFile } from './drop-zone.js';

const { deployment: t } = texts.workflows;

/** Deploys a file after the server checked it and the user reviewed it. */
export function DeployPanel({ onClose }: { onClose(): void }) {
  const [file, setFile] = useState<SelectedFile>();
  const actions = (
    <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
      {t.back}
    </Button>
  );
  return (
    <Page title={t.title} actions={actions}>
      <DropZone compact={file !== undefined} fileName={file?.name} onFile={setFile} />
      {file !== undefined && <CheckedFile key={file.id} file={file} />}
    </Page>
  );
}
