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
import { filterEvents } from './event-rows.js';
import { EventTimeline } from './event-timeline.js';
import { actorOf, elementNames, EVENT_KINDS, sentenceOf } from './event-sentences.js';
import { useRunEvents } from './use-run-events.js';
import './run-events.css';

const t = texts.runEvents;
const VIEWS = ['timeline', 'list', 'json'] as const;

/** Shows the history of a run as sentences, as a table or as recorded. New events appear automatically. */
export function RunEventsPanel({ run }: { readonly run: RunDetail }) {
  const address = useUrlState();
  const [{ element: elementId }, change] = useRunAddress();
  const { events, complete, query } = useRunEvents(run.runId);
  const view = VIEWS.find((each) => each === address.get('view')) ?? 'timeline';
  const kind = EVENT_KINDS.find((each) => each === address.get('kind'));
  const seq = Number(address.get('seq'));
  const live = !events.some(endsRun);
  const [wanted, setWanted] = useState(!Number.isInteger(seq) || seq === 0);
  const follow = wanted && live;
  const names = useMemo(() => elementNames(run.steps), [run.steps]);
  const shown = useMemo(() => filterEvents(events, { kind, elementId }), [events, kind, elementId]);
  const selected = events[seq - 1];
  const columns = useMemo(() => columnsOf(names), [names]);
  const select = (to: number | undefined): void => {
    if (to !== undefined) setWanted(false);
    address.set({ seq: to === undefined ? undefined : String(to) });
  };
  if (query.isPending) return <Loading />;
  if (query.isError && events.length === 0)
    return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  const index = shown.findIndex((event) => event.seq === seq);
  return (
    <div className="cs-events">
      <Group gap="sm" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label={t.view}
          value={view}
          onChange={(to) => address.set({ view: to === 'timeline' ? undefined : to })}
          data={VIEWS.map((value) => ({ value, label: t[value] }))}
        />
        <Select
          size="xs"
          w={210}
          aria-label={t.kind}
          placeholder={t.allKinds}
          clearable
          value={kind ?? null}
          onChange={(to) => address.set({ kind: to ?? undefined })}
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
          onChange={(to) => change({ element: to ?? undefined })}
          data={[...names].map(([value, label]) => ({ value, label }))}
        />
        {live && (
          <Switch
            size="xs"
            label={t.follow}
            checked={wanted}
            onChange={(event) => setWanted(event.currentTarget.checked)}
          />
        )}
        <Text size="xs" c="dimmed" role="status" aria-live="off">
          {query.isFetching && !complete ? t.loading(events.length) : t.count(shown.length)}
        </Text>
        {view === 'json' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() =>
              saveFile(
                `${run.runId}-events.json`,
                new Blob([JSON.stringify(shown, null, 2)], { type: 'application/json' }),
              )
            }
          >
            {t.download}
          </Button>
        )}
      </Group>
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      <div className="cs-events-body">
        {shown.length === 0 ? (
          <EmptyState title={t.none} />
        ) : view === 'timeline' ? (
          <EventTimeline events={shown} names={names} selected={selected?.seq} follow={follow} onSelect={select} />
        ) : view === 'list' ? (
          <EventTable
            events={shown}
            columns={columns}
            selected={selected?.seq}
            scrollTo={follow ? shown.length - 1 : index >= 0 ? index : undefined}
            onSelect={select}
          />
        ) : (
          <div className="cs-events-json">
            <JsonView value={shown as never} label={t.label} depth={1} maxHeight={2_000} />
          </div>
        )}
        {selected !== undefined && (
          <EventDetails
            event={selected}
            sentence={sentenceOf(selected, names)}
            onClose={() => select(undefined)}
            onMoment={(at) => change({ at, tab: undefined })}
            onStep={(step) => change({ step })}
          />
        )}
      </div>
    </div>
  );
}

interface EventTableProps {
  readonly events: readonly RunEvent[];
  readonly columns: readonly Column<RunEvent>[];
  readonly selected: number | undefined;
  readonly scrollTo: number | undefined;
  onSelect(seq: number): void;
}

function EventTable({ events, columns, selected, scrollTo, onSelect }: EventTableProps) {
  const [current, setCurrent] = useState(Math.max(0, scrollTo ?? 0));
  return (
    <VirtualTable
      label={t.label}
      columns={columns}
      items={events}
      keyOf={(event) => String(event.seq)}
      rowHeight={36}
      current={current}
      onCurrent={setCurrent}
      onOpen={(event) => onSelect(event.seq)}
      scrollTo={scrollTo}
      isSelected={(event) => event.seq === selected}
    />
  );
}

function columnsOf(names: ReadonlyMap<string, string>): readonly Column<RunEvent>[] {
  return [
    { key: 'seq', header: t.seq, width: '56px', cell: ({ seq }) => seq },
    { key: 'at', header: t.at, width: '150px', cell: ({ at }) => <Timestamp at={at} /> },
    { key: 'type', header: t.type, width: '170px', cell: ({ type }) => type },
    { key: 'what', header: t.what, width: 'minmax(200px, 1fr)', cell: (event) => sentenceOf(event, names) },
    { key: 'actor', header: t.actor, width: '110px', cell: (event) => actorOf(event) ?? '' },
    { key: 'hash', header: t.hash, width: '100px', cell: ({ hash }) => <code title={hash}>{hash.slice(0, 10)}</code> },
  ];
}
