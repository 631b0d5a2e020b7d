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
/** Keys are no changes of a run, so the change feed says nothing of them. In ms. */
const LOOK_EVERY_MS = 60_000;

interface KeyNewsProps {
  /** Id of the key of this device. */
  readonly own?: string;
  /** Shows the keys, where there is a place for that; else one is revoked here. */
  onLook?(): void;
}

/** Tells whoever decides of keys in their name that were registered or enrolled lately, until they close it. */
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
      // What is taken away here was not closed by the person.
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
