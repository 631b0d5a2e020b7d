import { useClient } from '@countersign/inbox-ui/api/client-context';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { ConfirmDialog } from '@countersign/inbox-ui/ui/confirm-dialog';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { OutboundDelivery } from '@countersign/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import { SidePanel } from '../ui/side-panel.js';

const { deliveries: t } = texts.inboundEvents;

interface DeliveryPanelProps {
  readonly delivery: OutboundDelivery | undefined;
  onClose(): void;
}

/** Shows the details of an outbound delivery, with a button to send it again. */
export function DeliveryPanel({ delivery, onClose }: DeliveryPanelProps) {
  return (
    <SidePanel title={t.title(delivery?.endpointId ?? '')} opened={delivery !== undefined} onClose={onClose}>
      {delivery !== undefined && <DeliveryDetails delivery={delivery} />}
    </SidePanel>
  );
}

function DeliveryDetails({ delivery }: { readonly delivery: OutboundDelivery }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const renderTime = (at: string | null) => (at === null ? null : <Timestamp at={at} />);
  const redeliver = async (): Promise<void> => {
    await client.redeliverOutboundDelivery({ deliveryId: delivery.deliveryId });
    notifications.show({ message: t.redelivered, color: 'green' });
    await queryClient.invalidateQueries({ queryKey: ['deliveries'] });
  };
  return (
    <Stack>
      <Group justify="flex-end">
        <Button onClick={() => setIsConfirming(true)}>{t.redeliver}</Button>
      </Group>
      {delivery.held && <Alert color="yellow">{t.heldHint}</Alert>}
      <Facts
        facts={[
          [t.status, t.statuses[delivery.status]],
          [t.facts.error, delivery.error === null ? null : <Code>{delivery.error}</Code>],
          [t.facts.statusCode, delivery.statusCode],
          [t.facts.attempts, delivery.attempts],
          [t.facts.endpointId, delivery.endpointId],
          [
            t.run,
            delivery.runId === null ? null : (
              <Anchor key="run" component={Link} to={`/runs/${delivery.runId}`} size="sm">
                {delivery.runId}
              </Anchor>
            ),
          ],
          [t.facts.elementId, delivery.elementId],
          [t.facts.contentType, delivery.contentType],
          [t.facts.acceptedAt, renderTime(delivery.acceptedAt)],
          [t.facts.lastAttemptAt, renderTime(delivery.lastAttemptAt)],
          [
            t.facts.nextAttemptAt,
            delivery.held || delivery.nextAttemptAt === null ? null : (
              <Timestamp key="next" at={delivery.nextAttemptAt} tense="either" />
            ),
          ],
          [t.facts.endedAt, renderTime(delivery.endedAt)],
          [t.facts.deliveryId, <Code key="id">{delivery.deliveryId}</Code>],
        ]}
      />
      <Text size="sm" c="dimmed">
        {t.secret}
      </Text>
      <ConfirmDialog
        title={t.redeliverTitle}
        opened={isConfirming}
        confirmLabel={t.redeliver}
        onConfirm={redeliver}
        onClose={() => setIsConfirming(false)}
      >
        <Text size="sm">{t.redeliverHint(delivery.endpointId, delivery.deliveryId)}</Text>
        {delivery.held && <Alert color="yellow">{t.redeliverHeld}</Alert>}
      </ConfirmDialog>
    </Stack>
  );
}
