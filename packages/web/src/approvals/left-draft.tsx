import { Alert, Button, Stack, Textarea } from '@mantine/core';
import { texts } from '../texts/index.js';
import type { LeftDraft } from './use-forms.js';

const t = texts.approvals.left;

/** What somebody wrote before, to be read and copied: it is about something else, or can't be sent now. */
export function LeftDraftNotice({ draft: { why, form, discard } }: { readonly draft: LeftDraft }) {
  const words = [form.comment, form.act === 'edit' ? form.argumentsText : '']
    .filter((each) => each.trim() !== '')
    .join('\n\n');
  return (
    <Alert color="yellow" role="alert" title={t[why]}>
      <Stack gap="xs" align="flex-start">
        <Textarea readOnly label={t.words} value={words} autosize maxRows={8} w="100%" />
        {discard !== undefined && (
          <Button size="xs" variant="default" onClick={discard}>
            {t.discard}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
