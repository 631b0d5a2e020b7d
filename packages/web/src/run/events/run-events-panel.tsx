import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { saveFile } from '@countersign/inbox-ui/ui/save-file';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Button, Group, SegmentedControl, Select, Switch, Text } from '@mantine/core';
import { endsRun, type RunDetail, type RunEvent } from '@countersign/contract';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { texts } from '../../texts/index.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { useRunAddress } from '../use-run-address.js';
import { EventDetails } from './event-details.js';
import { filterEvents } from './timeline-rows.js';
import { EventTimeline } from './event-timeline.js';
import { getActorName, getElementNames, EVENT_KINDS, describeEvent } from './describe-event.js';
import { useRunEvents } from './use-run-events.js';
import './run-events.css';

const t = texts.runEvents;
const VIEWS = ['timeline', 'list', 'json'] as const;

/** Shows the history of a run as a timeline, a table or JSON. New events appear automatically. */
export function RunEventsPanel({ run }: { readonly run: RunDetail }) {
  const url = useUrlState();
  const [{ element: elementId }, changeAddress] = useRunAddress();
  const { events, complete, query } = useRunEvents(run.runId);
  const view = VIEWS.find((each) => each === url.get('view')) ?? 'timeline';
  const kind = EVENT_KINDS.find((each) => each === url.get('kind'));
  const seq = Number(url.get('seq'));
  const isLive = !events.some(endsRun);
  const [followRequested, setFollowRequested] = useState(!Number.isInteger(seq) || seq === 0);
  const isFollowing = followRequested && isLive;
  const names = useMemo(() => getElementNames(run.steps), [run.steps]);
  const filteredEvents = useMemo(() => filterEvents(events, { kind, elementId }), [events, kind, elementId]);
  const selectedEvent = events[seq - 1];
  const columns = useMemo(() => createColumns(names), [names]);
  const selectEvent = (nextSeq: number | undefined): void => {
    if (nextSeq !== undefined) setFollowRequested(false);
    url.set({ seq: nextSeq === undefined ? undefined : String(nextSeq) });
  };
  if (query.isPending) return <Loading />;
  if (query.isError && events.length === 0)
    return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  const selectedIndex = filteredEvents.findIndex((event) => event.seq === seq);
  return (
    <div className="cs-events">
      <Group gap="sm" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label={t.view}
          value={view}
          onChange={(to) => url.set({ view: to === 'timeline' ? undefined : to })}
          data={VIEWS.map((value) => ({ value, label: t[value] }))}
        />
        <Select
          size="xs"
          w={210}
          aria-label={t.kind}
          placeholder={t.allKinds}
          clearable
          value={kind ?? null}
          onChange={(to) => url.set({ kind: to ?? undefined })}
          data={EVENT_KINDS.map((value) => ({ value, label: t.kinds[value] }))}
        />
        <Select
          size="xs"
          w={200}
          aria-label={t.element}
          placeholder={t.allElements}
          clearable
          searchable
          value={elementId ?? null}
          onChange={(to) => changeAddress({ element: to ?? undefined })}
          data={[...names].map(([value, label]) => ({ value, label }))}
        />
        {isLive && (
          <Switch
            size="xs"
            label={t.follow}
            checked={followRequested}
            onChange={(event) => setFollowRequested(event.currentTarget.checked)}
          />
        )}
        <Text size="xs" c="dimmed" role="status" aria-live="off">
          {query.isFetching && !complete ? t.loading(events.length) : t.count(filteredEvents.length)}
        </Text>
        {view === 'json' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() =>
              saveFile(
                `${run.runId}-events.json`,
                new Blob([JSON.stringify(filteredEvents, null, 2)], { type: 'application/json' }),
              )
            }
          >
            {t.download}
          </Button>
        )}
      </Group>
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      <div className="cs-events-body">
        {filteredEvents.length === 0 ? (
          <EmptyState title={t.none} />
        ) : view === 'timeline' ? (
          <EventTimeline
            events={filteredEvents}
            names={names}
            selectedSeq={selectedEvent?.seq}
            isFollowing={isFollowing}
            onSelect={selectEvent}
          />
        ) : view === 'list' ? (
          <EventTable
            events={filteredEvents}
            columns={columns}
            selectedSeq={selectedEvent?.seq}
            scrollToIndex={isFollowing ? filteredEvents.length - 1 : selectedIndex >= 0 ? selectedIndex : undefined}
            onSelect={selectEvent}
          />
        ) : (
          <div className="cs-events-json">
            <JsonView value={filteredEvents as never} label={t.label} depth={1} maxHeight={2_000} />
          </div>
        )}
        {selectedEvent !== undefined && (
          <EventDetails
            event={selectedEvent}
            sentence={describeEvent(selectedEvent, names)}
            onClose={() => selectEvent(undefined)}
            onShowState={(at) => changeAddress({ at, tab: undefined })}
            onOpenStep={(step) => changeAddress({ step })}
          />
        )}
      </div>
    </div>
  );
}

interface EventTableProps {
  readonly events: readonly RunEvent[];
  readonly columns: readonly Column<RunEvent>[];
  readonly selectedSeq: number | undefined;
  readonly scrollToIndex: number | undefined;
  onSelect(seq: number): void;
}

function EventTable({ events, columns, selectedSeq, scrollToIndex, onSelect }: EventTableProps) {
  const [current, setCurrent] = useState(Math.max(0, scrollToIndex ?? 0));
  return (
    <VirtualTable
      label={t.label}
      columns={columns}
      items={events}
      getKey={(event) => String(event.seq)}
      rowHeight={36}
      current={current}
      onCurrent={setCurrent}
      onOpen={(event) => onSelect(event.seq)}
      scrollTo={scrollToIndex}
      isSelected={(event) => event.seq === selectedSeq}
    />
  );
}

function createColumns(names: ReadonlyMap<string, string>): readonly Column<RunEvent>[] {
  return [
    { key: 'seq', header: t.seq, width: '56px', cell: ({ seq }) => seq },
    { key: 'at', header: t.at, width: '150px', cell: ({ at }) => <Timestamp at={at} /> },
    { key: 'type', header: t.type, width: '170px', cell: ({ type }) => type },
    { key: 'what', header: t.sentence, width: 'minmax(200px, 1fr)', cell: (event) => describeEvent(event, names) },
    { key: 'actor', header: t.actor, width: '110px', cell: (event) => getActorName(event) ?? '' },
    { key: 'hash', header: t.hash, width: '100px', cell: ({ hash }) => <code title={hash}>{hash.slice(0, 10)}</code> },
  ];
}
