import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { useHasRole } from '../session/session.js';
import { texts } from '../texts/index.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { toOneLine } from '../ui/to-one-line.js';
import {
  storeDismissedId,
  findKeyNotifications,
  loadDismissedIds,
  type KeyNotification as News,
} from './find-key-notifications.js';

const t = texts.session.keyNotifications;
/** Polling interval in ms: keys are not changes of a run, so the change feed does not report them. */
const POLL_MS = 60_000;

interface KeyNewsProps {
  /** Id of the key of this device. */
  readonly ownKeyId?: string;
  /** Shows the keys in the view of the application; if omitted, the notification offers to revoke the key. */
  onShowKeys?(): void;
}

/**
 * Notifies approvers of keys that were recently registered or enrolled in their name, until they close the
 * notification.
 */
export function KeyNotifications({ ownKeyId, onShowKeys }: KeyNewsProps) {
  const client = useClient();
  const isApprover = useHasRole('approver');
  const [suspectKey, setSuspectKey] = useState<News>();
  const { data, refetch } = useQuery({
    queryKey: [...queryKeys.signingKeys, 'news'],
    queryFn: ({ signal }) => client.listMySigningKeys({ limit: 50 }, { signal }),
    enabled: isApprover,
    refetchInterval: POLL_MS,
  });
  const news = useMemo(() => {
    const seen = new Set(loadDismissedIds());
    return findKeyNotifications(data?.items ?? [], ownKeyId, Date.now()).filter(
      ({ notificationId }) => !seen.has(notificationId),
    );
  }, [data, ownKeyId]);
  useEffect(() => {
    let isUnmounting = false;
    const shownIds = news.map((each) => {
      const { notificationId, name, isEnrolled } = each;
      const onReview = onShowKeys ?? (() => setSuspectKey(each));
      notifications.show({
        id: notificationId,
        color: 'yellow',
        autoClose: false,
        withCloseButton: true,
        closeButtonProps: { 'aria-label': t.close },
        title: isEnrolled ? t.enrolled(toOneLine(name, 60)) : t.registered(toOneLine(name, 60)),
        message: (
          <Stack gap="xs" align="flex-start">
            <Text size="sm" c="var(--mantine-color-text)">
              {t.hint}
            </Text>
            <Button size="compact-sm" variant="default" onClick={onReview}>
              {onShowKeys === undefined ? t.notMine : t.review}
            </Button>
          </Stack>
        ),
        onClose: () => isUnmounting || storeDismissedId(notificationId),
      });
      return notificationId;
    });
    return () => {
      // Notifications that are hidden here were not closed by the user.
      isUnmounting = true;
      for (const notificationId of shownIds) notifications.hide(notificationId);
    };
  }, [news, onShowKeys]);
  return (
    <ConfirmDialog
      title={t.revokeTitle(toOneLine(suspectKey?.name ?? '', 60))}
      opened={suspectKey !== undefined}
      confirmLabel={t.revoke}
      onClose={() => setSuspectKey(undefined)}
      onConfirm={async () => {
        if (suspectKey !== undefined) await client.revokeMySigningKey({ keyId: suspectKey.keyId });
        await refetch();
        setSuspectKey(undefined);
      }}
    >
      <Text size="sm">{t.revokeHint}</Text>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {suspectKey?.keyId}
      </Text>
    </ConfirmDialog>
  );
}
