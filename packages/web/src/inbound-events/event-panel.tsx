import { useClient } from '@countersign/inbox-ui/api/client-context';
import { IfSupported } from '@countersign/inbox-ui/session/if-supported';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { ConfirmDialog } from '@countersign/inbox-ui/ui/confirm-dialog';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Anchor, Button, Code, Group, List, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { RecordedEventDetail } from '@countersign/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import { SidePanel } from '../ui/side-panel.js';
import { EventStatusBadge } from './event-status-badge.js';

const t = texts.inboundEvents;

interface EventPanelProps {
  readonly eventId: string | undefined;
  onClose(): void;
}

/**
 * Shows the content and the effect of an inbound event, with a button to deliver it again if no run has received it.
 */
export function EventPanel({ eventId, onClose }: EventPanelProps) {
  const client = useClient();
  const eventQuery = useQuery({
    queryKey: ['inbound-events', 'one', eventId],
    queryFn: ({ signal }) => client.getInboundEvent({ eventId: eventId ?? '' }, { signal }),
    enabled: eventId !== undefined,
  });
  return (
    <SidePanel title={t.title(eventQuery.data?.messageName ?? '')} opened={eventId !== undefined} onClose={onClose}>
      {eventQuery.isPending && <Loading />}
      {eventQuery.isError && <ProblemNotice error={eventQuery.error} onRetry={() => void eventQuery.refetch()} />}
      {eventQuery.isSuccess && <InboundEventDetails event={eventQuery.data} />}
    </SidePanel>
  );
}

function InboundEventDetails({ event }: { readonly event: RecordedEventDetail }) {
  const renderTime = (at: string | null) => at !== null && <Timestamp at={at} />;
  return (
    <Stack>
      <Group justify="space-between">
        <EventStatusBadge status={event.status} />
        {(event.status === 'unmatched' || event.status === 'expired') && (
          <IfSupported capability="event_redelivery">
            <RedeliverButton event={event} />
          </IfSupported>
        )}
      </Group>
      <section aria-label={t.resumed}>
        <Title order={3} size="h6">
          {t.resumed}
        </Title>
        {event.runIds.length === 0 ? (
          <Text size="sm">{t.resumedNone}</Text>
        ) : (
          <List size="sm">
            {event.runIds.map((runId) => (
              <List.Item key={runId}>
                <Anchor component={Link} to={`/runs/${runId}`} size="sm">
                  {event.startedRunIds.includes(runId) ? t.startedRun(runId) : t.resumedRun(runId)}
                </Anchor>
              </List.Item>
            ))}
          </List>
        )}
      </section>
      <Facts
        facts={[
          [t.facts.code, event.code],
          [t.facts.correlationKey, event.correlationKey],
          [t.facts.source, event.source],
          [t.facts.via, event.via],
          [t.facts.from, event.from],
          [t.facts.receivedAt, renderTime(event.receivedAt)],
          [
            t.facts.expiresAt,
            event.expiresAt === null ? null : <Timestamp key="expires" at={event.expiresAt} tense="either" />,
          ],
          [t.facts.repeats, event.repeats === 0 ? null : t.repeats(event.repeats)],
          [t.facts.lastRepeatAt, event.lastRepeatAt === null ? null : renderTime(event.lastRepeatAt)],
          [t.facts.deliveryId, event.deliveryId === null ? null : <Code>{event.deliveryId}</Code>],
          [t.facts.eventId, <Code key="id">{event.eventId}</Code>],
          [t.facts.bodyDigest, event.bodyDigest === null ? null : <Code>{event.bodyDigest}</Code>],
        ]}
      />
      <section aria-label={t.payload}>
        <Title order={3} size="h6" mb={4}>
          {t.payload}
        </Title>
        {event.payload === null ? (
          <Alert color="gray">{t.noPayload}</Alert>
        ) : (
          <JsonView value={event.payload} label={t.payload} />
        )}
      </section>
    </Stack>
  );
}

function RedeliverButton({ event }: { readonly event: RecordedEventDetail }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const redeliver = async (): Promise<void> => {
    const { runIds } = await client.redeliverInboundEvent({ eventId: event.eventId });
    notifications.show(
      runIds.length === 0
        ? { message: t.noRunWaiting, color: 'yellow' }
        : { message: t.delivered(runIds.length), color: 'green' },
    );
    await queryClient.invalidateQueries({ queryKey: ['inbound-events'] });
  };
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>{t.redeliver}</Button>
      <ConfirmDialog
        title={t.redeliverTitle}
        opened={isConfirming}
        confirmLabel={t.redeliver}
        onConfirm={redeliver}
        onClose={() => setIsConfirming(false)}
      >
        <Text size="sm">{t.redeliverHint(event.messageName ?? '', event.correlationKey ?? '')}</Text>
        <Text size="sm">{t.redeliverNoRun}</Text>
      </ConfirmDialog>
    </>
  );
}
