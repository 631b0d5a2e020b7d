import { Badge, Button, Group, Select, Text } from '@mantine/core';
import type { OutboundDelivery } from '@countersign/contract';
import { useMemo, useState } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { texts } from '../texts/index.js';
import { Timestamp } from '../time/timestamp.js';
import { EmptyState } from '../ui/empty-state.js';
import { FilterInput } from '../ui/filter-input.js';
import { Loading } from '../ui/loading.js';
import { Page } from '../ui/page.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { usePages } from '../ui/use-pages.js';
import { useUrlState } from '../ui/use-url-state.js';
import { VirtualTable, type Column } from '../ui/virtual-table.js';
import { DeliveryPanel } from './delivery-panel.js';

const { deliveries: t } = texts.inboundEvents;
/** No change feed tells of these. */
const POLL_MS = 3_000;
type Status = OutboundDelivery['status'];
const STATUSES = Object.keys(t.statuses) as Status[];
const COLORS: Readonly<Record<Status, string>> = { pending: 'blue', delivered: 'green', failed: 'red' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Notifications to other systems, on their way and arrived; `?delivery=` opens one of the list. */
export function DeliveriesPage() {
  const client = useClient();
  const url = useUrlState();
  const [current, setCurrent] = useState(0);
  const asked = { status: STATUSES.find((each) => each === url.get('status')), endpointId: url.get('endpoint'), runId: url.get('run') };
  const filter = JSON.stringify({ ...asked, runId: asked.runId !== undefined && UUID.test(asked.runId) ? asked.runId : undefined });
  const wanted = useMemo(() => JSON.parse(filter) as { status?: Status; endpointId?: string; runId?: string }, [filter]);
  const filtered = Object.keys(wanted).length > 0;
  const { items, query, loadMore } = usePages<OutboundDelivery>(keys.deliveries(wanted), (cursor, signal) => client.listOutboundDeliveries({ ...wanted, ...(cursor === undefined ? {} : { cursor }) }, { signal }), POLL_MS);
  const opened = items.find(({ deliveryId }) => deliveryId === url.get('delivery'));
  return (
    <Page title={texts.app.nav.deliveries}>
      <Group mb="sm" align="flex-end" role="group" aria-label={texts.inboundEvents.filters}>
        <Select
          label={t.status}
          w={180}
          clearable
          clearButtonProps={{ 'aria-label': texts.inboundEvents.clear }}
          placeholder={texts.inboundEvents.anyStatus}
          data={STATUSES.map((value) => ({ value, label: t.statuses[value] }))}
          value={asked.status ?? null}
          onChange={(status) => url.set({ status: status ?? undefined })}
        />
        <FilterInput label={t.endpoint} value={asked.endpointId} onChange={(endpoint) => url.set({ endpoint })} />
        <FilterInput label={t.run} value={asked.runId} onChange={(run) => url.set({ run })} />
        {filtered && (
          <Button variant="subtle" onClick={() => url.set({ status: undefined, endpoint: undefined, run: undefined })}>
            {texts.inboundEvents.clear}
          </Button>
        )}
      </Group>
      {query.isPending && <Loading />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && items.length === 0 && (filtered ? <EmptyState title={t.nothingFound} /> : <EmptyState title={t.none} hint={t.noneHint} />)}
      {items.length > 0 && (
        <VirtualTable
          label={t.label}
          columns={COLUMNS}
          items={items}
          keyOf={({ deliveryId }) => deliveryId}
          hasMore={query.hasNextPage}
          loadingMore={query.isFetchingNextPage}
          onLoadMore={loadMore}
          onOpen={({ deliveryId }) => url.set({ delivery: deliveryId })}
          current={current}
          onCurrent={setCurrent}
          isSelected={({ deliveryId }) => deliveryId === opened?.deliveryId}
        />
      )}
      <DeliveryPanel delivery={opened} onClose={() => url.set({ delivery: undefined })} />
    </Page>
  );
}

/** How a delivery stands. */
export function DeliveryStatus({ delivery: { status, held } }: { readonly delivery: OutboundDelivery }) {
  return (
    <Badge variant="light" color={held ? 'orange' : COLORS[status]} tt="none">
      {held ? t.held : t.statuses[status]}
    </Badge>
  );
}

const COLUMNS: readonly Column<OutboundDelivery>[] = [
  { key: 'endpoint', header: t.columns.endpoint, width: 'minmax(120px, 1.5fr)', cell: ({ endpointId }) => <Text inherit fw={600} truncate>{endpointId}</Text> },
  { key: 'status', header: t.columns.status, width: '120px', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { key: 'element', header: t.columns.element, width: 'minmax(100px, 1fr)', cell: ({ elementId }) => elementId },
  { key: 'attempts', header: t.columns.attempts, width: '80px', cell: ({ attempts }) => attempts },
  { key: 'last', header: t.columns.last, width: 'minmax(100px, 1fr)', cell: ({ statusCode, error }) => error ?? statusCode },
  { key: 'accepted', header: t.columns.accepted, width: '130px', cell: ({ acceptedAt }) => <Timestamp at={acceptedAt} /> },
  { key: 'next', header: t.columns.next, width: '130px', cell: ({ nextAttemptAt }) => nextAttemptAt !== null && <Timestamp at={nextAttemptAt} side="either" /> },
];
