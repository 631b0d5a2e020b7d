import { CopyButton } from '@countersign/inbox-ui/ui/copy-button';
import { Text, Title } from '@mantine/core';
import { texts } from '../../texts/index.js';

const t = texts.evidence;

/** Explains how to check the downloaded evidence without this server. */
export function CheckElsewhere({ runId }: { readonly runId: string }) {
  const command = t.command(runId);
  return (
    <section>
      <Title order={2} size="h5" mb={4}>
        {t.elsewhere}
      </Title>
      <Text size="sm">{t.elsewhereHint}</Text>
      <p className="cs-run-evidence-command">
        <code>{command}</code>
        <CopyButton text={() => command} label={t.copyCommand} />
      </p>
    </section>
  );
}
