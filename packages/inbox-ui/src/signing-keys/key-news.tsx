import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { useMay } from '../session/session.js';
import { texts } from '../texts/index.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { oneLine } from '../ui/one-line.js';
import { keepSeen, newsOfKeys, seenNews, type KeyNews as News } from './new-keys.js';

const t = texts.session.keyNews;
/** Polling interval in ms: keys are not changes of a run, so the change feed does not report them. */
const LOOK_EVERY_MS = 60_000;

interface KeyNewsProps {
  /** Id of the key of this device. */
  readonly own?: string;
  /** Shows the keys, if the application has a view for that; if omitted, a key can be revoked here. */
  onLook?(): void;
}

/**
 * Notifies approvers of keys that were recently registered or enrolled in their name, until they close the
 * notification.
 */
export function KeyNews({ own, onLook }: KeyNewsProps) {
  const client = useClient();
  const decides = useMay('approver');
  const [suspect, setSuspect] = useState<News>();
  const { data, refetch } = useQuery({
    queryKey: [...keys.signingKeys, 'news'],
    queryFn: ({ signal }) => client.listMySigningKeys({ limit: 50 }, { signal }),
    enabled: decides,
    refetchInterval: LOOK_EVERY_MS,
  });
  const news = useMemo(() => {
    const seen = new Set(seenNews());
    return newsOfKeys(data?.items ?? [], own, Date.now()).filter(({ newsId }) => !seen.has(newsId));
  }, [data, own]);
  useEffect(() => {
    let leaving = false;
    const shown = news.map((each) => {
      const { newsId, name, counts } = each;
      const act = onLook ?? (() => setSuspect(each));
      notifications.show({
        id: newsId,
        color: 'yellow',
        autoClose: false,
        withCloseButton: true,
        closeButtonProps: { 'aria-label': t.close },
        title: counts ? t.counts(oneLine(name, 60)) : t.registered(oneLine(name, 60)),
        message: (
          <Stack gap="xs" align="flex-start">
            <Text size="sm" c="var(--mantine-color-text)">
              {t.hint}
            </Text>
            <Button size="compact-sm" variant="default" onClick={act}>
              {onLook === undefined ? t.notMine : t.look}
            </Button>
          </Stack>
        ),
        onClose: () => leaving || keepSeen(newsId),
      });
      return newsId;
    });
    return () => {
      // The user did not close notifications that are removed here.
      leaving = true;
      for (const newsId of shown) notifications.hide(newsId);
    };
  }, [news, onLook]);
  return (
    <ConfirmDialog
      title={t.revokeTitle(oneLine(suspect?.name ?? '', 60))}
      opened={suspect !== undefined}
      confirmLabel={t.revoke}
      onClose={() => setSuspect(undefined)}
      onConfirm={async () => {
        if (suspect !== undefined) await client.revokeMySigningKey({ keyId: suspect.keyId });
        await refetch();
        setSuspect(undefined);
      }}
    >
      <Text size="sm">{t.revokeHint}</Text>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {suspect?.keyId}
      </Text>
    </ConfirmDialog>
  );
}
