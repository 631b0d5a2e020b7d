import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import type { DiagramBadge } from '@countersign/inbox-ui/diagram/diagram-view';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Group, Select, Text } from '@mantine/core';
import type { WorkflowDetail, WorkflowStatistics } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { diagramLayout } from '../diagram/diagram-layout.js';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { heatLegend, heatOf, isDuration, MEASURES, type Heat, type Measure } from './heat.js';
import { HeatTable } from './heat-table.js';
import { ModelDiagram } from './model-diagram.js';

const { heat: t } = texts.workflows;
const HOUR = 3_600_000;
const RANGES = { day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR, all: undefined } as const;
type Range = keyof typeof RANGES;
const RANGE_NAMES = Object.keys(RANGES) as Range[];
/** Ranges start at a whole minute, so that the same query keeps its address for a while. */
const MINUTE = 60_000;

/** Shows frequency, duration and failures: `?measure=`, `?range=`, `?of=version`. */
export function HeatView({ workflow }: { readonly workflow: WorkflowDetail }) {
  const client = useClient();
  const url = useUrlState();
  const measure = MEASURES.find((each) => each === url.get('measure')) ?? 'entered';
  const range = RANGE_NAMES.find((each) => each === url.get('range')) ?? 'week';
  const ofVersion = url.get('of') === 'version';
  const query = useQuery({
    queryKey: keys.ofWorkflow(workflow.workflowId, 'statistics', range, ofVersion ? workflow.version : 'all'),
    queryFn: ({ signal }) => {
      const span = RANGES[range];
      const startedAfter =
        span === undefined ? undefined : new Date(Math.floor((Date.now() - span) / MINUTE) * MINUTE).toISOString();
      return client.getWorkflowStatistics(
        {
          workflowId: workflow.workflowId,
          ...(ofVersion ? { version: workflow.version } : {}),
          ...(startedAfter === undefined ? {} : { startedAfter }),
        },
        { signal },
      );
    },
    placeholderData: (previous) => previous,
  });
  return (
    <>
      <Group mb="sm" align="flex-end">
        <Select
          label={t.measure}
          w={260}
          allowDeselect={false}
          data={MEASURES.map((value) => ({ value, label: t.measures[value] }))}
          value={measure}
          onChange={(value) => url.set({ measure: value ?? undefined })}
        />
        <Select
          label={t.range}
          w={180}
          allowDeselect={false}
          data={RANGE_NAMES.map((value) => ({ value, label: t.ranges[value] }))}
          value={range}
          onChange={(value) => url.set({ range: value ?? undefined })}
        />
        <Select
          label={t.versions}
          w={150}
          allowDeselect={false}
          data={[
            { value: 'all', label: t.allVersions },
            { value: 'version', label: t.oneVersion(workflow.version) },
          ]}
          value={ofVersion ? 'version' : 'all'}
          onChange={(value) =>
            url.set({
              of: value === 'version' ? value : undefined,
              version: value === 'version' ? workflow.version : undefined,
            })
          }
        />
      </Group>
      {query.isPending && <Loading />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && <Figures workflow={workflow} statistics={query.data} measure={measure} />}
    </>
  );
}

function Figures({
  workflow,
  statistics,
  measure,
}: {
  readonly workflow: WorkflowDetail;
  readonly statistics: WorkflowStatistics;
  readonly measure: Measure;
}) {
  const url = useUrlState();
  const heat = useMemo(() => heatOf(statistics.elements, measure), [statistics, measure]);
  const hot = useMemo(() => heat.filter(({ step }) => step > 0), [heat]);
  const marks = useMemo(() => new Map(hot.map(({ elementId, step }) => [elementId, `cs-heat-${step}`])), [hot]);
  const badges = useMemo(
    () =>
      hot.map(({ elementId, value }): DiagramBadge => ({
        elementId,
        position: 'bottom-right',
        text: show(value, measure),
        className: 'cs-heat',
      })),
    [hot, measure],
  );
  const layout = useMemo(() => diagramLayout(workflow.bpmnXml), [workflow.bpmnXml]);
  const { runs, sample } = statistics;
  if (runs.total === 0) return <EmptyState title={t.noRuns} />;
  const selected = url.get('element');
  const select = (element: string | undefined): void => url.set({ element });
  return (
    <div className="cs-diagram-room">
      <div className="cs-split cs-split-wide" {...layout}>
        <ModelDiagram
          xml={workflow.bpmnXml}
          label={t.diagram(t.measures[measure])}
          marks={marks}
          badges={badges}
          selected={selected}
          onSelect={select}
        />
        <div className="cs-beside">
          <Text size="sm" role="status">
            {t.runs(runs.total)}: {t.outcome(runs.completed, runs.failed, runs.rejected, runs.cancelled)}
          </Text>
          {!sample.complete && (
            <Alert color="yellow" py={6}>
              {t.sample(runs.total)}
            </Alert>
          )}
          <Legend heat={hot} measure={measure} />
          <HeatTable elements={statistics.elements} names={workflow.elements} selected={selected} onSelect={select} />
        </div>
      </div>
    </div>
  );
}

function Legend({ heat, measure }: { readonly heat: readonly Heat[]; readonly measure: Measure }) {
  const steps = heatLegend(heat);
  return (
    <Group gap="sm" role="list" aria-label={t.legend}>
      {steps.length === 0 && (
        <Text size="xs" role="listitem">
          {t.none}
        </Text>
      )}
      {steps.map(({ step, from, to }) => (
        <Group key={step} gap={6} role="listitem">
          <span className="cs-heat-swatch" style={{ background: `var(--cs-heat-${step})` }} aria-hidden />
          <Text size="xs">{t.span(show(from, measure), show(to, measure))}</Text>
        </Group>
      ))}
    </Group>
  );
}

function show(value: number, measure: Measure): string {
  return isDuration(measure) ? formatDuration(value) : value.toLocaleString('en');
}
