import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { texts } from '../texts/index.js';
import { CopyButton } from '../ui/copy-button.js';
import type { StaleDraft } from './use-forms.js';

const t = texts.approvals.staleDraft;

/** Shows an earlier draft to read and copy: it is for another subject or round, or cannot be sent now. */
export function StaleDraftNotice({ draft: { reason, form, discard, reuse } }: { readonly draft: StaleDraft }) {
  const text = [form.comment, form.act === 'edit' ? form.argumentsText : '']
    .filter((each) => each.trim() !== '')
    .join('\n\n');
  return (
    <Alert color="yellow" role="alert" title={t[reason]}>
      <Stack gap="xs" align="flex-start">
        <Textarea readOnly label={t.draftLabel} value={text} autosize maxRows={8} w="100%" />
        <Group gap="xs">
          <CopyButton text={() => text} label={t.copy} />
          {reuse !== undefined && (
            <Button size="xs" variant="default" onClick={reuse}>
              {t.reuse}
            </Button>
          )}
          {discard !== undefined && (
            <Button size="xs" variant="default" onClick={discard}>
              {t.discard}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
