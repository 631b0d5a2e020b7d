import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Page } from '@countersign/inbox-ui/ui/page';
import { usePages } from '@countersign/inbox-ui/ui/use-pages';
import type { Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Badge, Button, Group, Select, Text } from '@mantine/core';
import type { OutboundDelivery } from '@countersign/contract';
import { useMemo } from 'react';
import { isUuid } from '../api/is-uuid.js';
import { texts } from '../texts/index.js';
import { FilterInput } from '../ui/filter-input.js';
import { PagedTable } from '../ui/paged-table.js';
import { useUrlState } from '../ui/use-url-state.js';
import { DeliveryPanel } from './delivery-panel.js';

const { deliveries: t } = texts.inboundEvents;
/** Polling interval, because the change feed does not contain outbound deliveries. */
const POLL_MS = 3_000;
type Status = OutboundDelivery['status'];
const STATUSES = Object.keys(t.statuses) as Status[];
const COLORS: Readonly<Record<Status, string>> = { pending: 'blue', delivered: 'green', failed: 'red' };
/** Lists outbound deliveries with their status; `?delivery=` opens a delivery. */
export function DeliveriesPage() {
  const client = useClient();
  const url = useUrlState();
  const urlFilter = {
    status: STATUSES.find((each) => each === url.get('status')),
    endpointId: url.get('endpoint'),
    runId: url.get('run'),
  };
  const filterJson = JSON.stringify({
    ...urlFilter,
    runId: urlFilter.runId !== undefined && isUuid(urlFilter.runId) ? urlFilter.runId : undefined,
  });
  const queryFilter = useMemo(
    () => JSON.parse(filterJson) as { status?: Status; endpointId?: string; runId?: string },
    [filterJson],
  );
  const isFiltered = Object.keys(queryFilter).length > 0;
  const pages = usePages<OutboundDelivery>(
    queryKeys.deliveries(queryFilter),
    (cursor, signal) =>
      client.listOutboundDeliveries({ ...queryFilter, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
    POLL_MS,
  );
  const openDelivery = pages.items.find(({ deliveryId }) => deliveryId === url.get('delivery'));
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
          value={urlFilter.status ?? null}
          onChange={(status) => url.set({ status: status ?? undefined })}
        />
        <FilterInput label={t.endpoint} value={urlFilter.endpointId} onChange={(endpoint) => url.set({ endpoint })} />
        <FilterInput label={t.run} value={urlFilter.runId} onChange={(run) => url.set({ run })} />
        {isFiltered && (
          <Button variant="subtle" onClick={() => url.set({ status: undefined, endpoint: undefined, run: undefined })}>
            {texts.inboundEvents.clear}
          </Button>
        )}
      </Group>
      <PagedTable
        label={t.label}
        columns={COLUMNS}
        pages={pages}
        empty={isFiltered ? <EmptyState title={t.nothingFound} /> : <EmptyState title={t.none} hint={t.noneHint} />}
        getKey={({ deliveryId }) => deliveryId}
        onOpen={({ deliveryId }) => url.set({ delivery: deliveryId })}
        isSelected={({ deliveryId }) => deliveryId === openDelivery?.deliveryId}
      />
      <DeliveryPanel delivery={openDelivery} onClose={() => url.set({ delivery: undefined })} />
    </Page>
  );
}

/** Shows the status of a delivery. */
export function DeliveryStatusBadge({ delivery: { status, held } }: { readonly delivery: OutboundDelivery }) {
  return (
    <Badge variant="light" color={held ? 'orange' : COLORS[status]} tt="none">
      {held ? t.held : t.statuses[status]}
    </Badge>
  );
}

const COLUMNS: readonly Column<OutboundDelivery>[] = [
  {
    key: 'endpoint',
    header: t.columns.endpoint,
    width: 'minmax(120px, 1.5fr)',
    cell: ({ endpointId }) => (
      <Text inherit fw={600} truncate>
        {endpointId}
      </Text>
    ),
  },
  {
    key: 'status',
    header: t.columns.status,
    width: '120px',
    cell: (delivery) => <DeliveryStatusBadge delivery={delivery} />,
  },
  { key: 'element', header: t.columns.element, width: 'minmax(100px, 1fr)', cell: ({ elementId }) => elementId },
  { key: 'attempts', header: t.columns.attempts, width: '80px', cell: ({ attempts }) => attempts },
  {
    key: 'last',
    header: t.columns.last,
    width: 'minmax(100px, 1fr)',
    cell: ({ statusCode, error }) => statusCode ?? error,
  },
  {
    key: 'accepted',
    header: t.columns.accepted,
    width: '130px',
    cell: ({ acceptedAt }) => <Timestamp at={acceptedAt} />,
  },
  {
    key: 'next',
    header: t.columns.next,
    width: '130px',
    cell: ({ held, nextAttemptAt }) =>
      !held && nextAttemptAt !== null && <Timestamp at={nextAttemptAt} tense="either" />,
  },
];
