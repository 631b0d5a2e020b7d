import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Page } from '@countersign/inbox-ui/ui/page';
import { usePages } from '@countersign/inbox-ui/ui/use-pages';
import type { Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Button, Group, Select, Text } from '@mantine/core';
import type { RecordedEvent } from '@countersign/contract';
import { useMemo } from 'react';
import { texts } from '../texts/index.js';
import { FilterInput } from '../ui/filter-input.js';
import { PagedTable } from '../ui/paged-table.js';
import { useUrlState } from '../ui/use-url-state.js';
import { EventPanel } from './event-panel.js';
import { EventStatusBadge } from './event-status-badge.js';

const t = texts.inboundEvents;
/** Polling interval, because the change feed does not contain inbound events. */
const POLL_MS = 3_000;
type Status = keyof typeof t.statuses;
const STATUSES = Object.keys(t.statuses) as Status[];

/** Lists inbound events with their status, including refused events; `?event=` opens an event. */
export function InboundEventsPage() {
  const client = useClient();
  const url = useUrlState();
  const urlFilter = {
    status: STATUSES.find((each) => each === url.get('status')),
    source: url.get('source'),
    via: url.get('via'),
    messageName: url.get('message'),
  };
  const filterJson = JSON.stringify(urlFilter);
  const queryFilter = useMemo(
    () => JSON.parse(filterJson) as { status?: Status; source?: string; via?: string; messageName?: string },
    [filterJson],
  );
  const isFiltered = Object.keys(queryFilter).length > 0;
  const pages = usePages<RecordedEvent>(
    queryKeys.inboundEvents(queryFilter),
    (cursor, signal) =>
      client.listInboundEvents({ ...queryFilter, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
    POLL_MS,
  );
  const openEventId = url.get('event');
  return (
    <Page title={texts.app.nav.inboundEvents}>
      <Group mb="sm" align="flex-end" role="group" aria-label={t.filters}>
        <Select
          label={t.status}
          w={210}
          clearable
          clearButtonProps={{ 'aria-label': t.clear }}
          placeholder={t.anyStatus}
          data={STATUSES.map((value) => ({ value, label: t.statuses[value] }))}
          value={urlFilter.status ?? null}
          onChange={(status) => url.set({ status: status ?? undefined })}
        />
        <FilterInput label={t.messageName} value={urlFilter.messageName} onChange={(message) => url.set({ message })} />
        <FilterInput label={t.source} value={urlFilter.source} onChange={(source) => url.set({ source })} />
        <FilterInput label={t.via} value={urlFilter.via} onChange={(via) => url.set({ via })} />
        {isFiltered && (
          <Button
            variant="subtle"
            onClick={() => url.set({ status: undefined, message: undefined, source: undefined, via: undefined })}
          >
            {t.clear}
          </Button>
        )}
      </Group>
      <PagedTable
        label={t.label}
        columns={COLUMNS}
        pages={pages}
        empty={isFiltered ? <EmptyState title={t.nothingFound} /> : <EmptyState title={t.none} hint={t.noneHint} />}
        getKey={({ eventId }) => eventId}
        onOpen={({ eventId }) => url.set({ event: eventId })}
        isSelected={({ eventId }) => eventId === openEventId}
      />
      <EventPanel eventId={openEventId} onClose={() => url.set({ event: undefined })} />
    </Page>
  );
}

const COLUMNS: readonly Column<RecordedEvent>[] = [
  {
    key: 'message',
    header: t.columns.message,
    width: 'minmax(140px, 1.8fr)',
    cell: ({ messageName, code }) => (
      <Text inherit fw={600} truncate>
        {messageName ?? code ?? t.noMessage}
      </Text>
    ),
  },
  { key: 'key', header: t.columns.key, width: 'minmax(100px, 1.3fr)', cell: ({ correlationKey }) => correlationKey },
  { key: 'source', header: t.columns.source, width: 'minmax(80px, 0.8fr)', cell: ({ source }) => source },
  { key: 'via', header: t.columns.via, width: 'minmax(110px, 1.2fr)', cell: ({ via }) => via },
  {
    key: 'status',
    header: t.columns.status,
    width: '150px',
    cell: ({ status, repeats }) => (
      <Group gap={6} wrap="nowrap">
        <EventStatusBadge status={status} />
        {repeats > 0 && <Text size="xs">{t.times(repeats)}</Text>}
      </Group>
    ),
  },
  {
    key: 'runs',
    header: t.columns.runs,
    width: '56px',
    cell: ({ runIds }) => (runIds.length === 0 ? '' : runIds.length),
  },
  {
    key: 'received',
    header: t.columns.received,
    width: '140px',
    cell: ({ receivedAt }) => <Timestamp at={receivedAt} />,
  },
];
