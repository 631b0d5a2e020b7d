import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import type { DiagramBadge } from '@countersign/inbox-ui/diagram/diagram-view';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Group, Select, Text } from '@mantine/core';
import type { WorkflowDetail, WorkflowStatistics } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { computeDiagramLayout } from '../diagram/diagram-layout.js';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { buildHeatLegend, computeHeat, isDurationMeasure, MEASURES, type ElementHeat, type Measure } from './heat.js';
import { HeatTable } from './heat-table.js';
import { ModelDiagram } from './model-diagram.js';

const { heat: t } = texts.workflows;
const HOUR_MS = 3_600_000;
const RANGE_MS = { day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS, all: undefined } as const;
type Range = keyof typeof RANGE_MS;
const RANGE_NAMES = Object.keys(RANGE_MS) as Range[];
/** Ranges start at a whole minute, so that requests within the same minute have the same URL. */
const MINUTE_MS = 60_000;

/**
 * Shows the frequency, duration, failures or rejections of each element. Query parameters: `?measure=`, `?range=`,
 * `?of=version`.
 */
export function HeatView({ workflow }: { readonly workflow: WorkflowDetail }) {
  const client = useClient();
  const url = useUrlState();
  const measure = MEASURES.find((each) => each === url.get('measure')) ?? 'entered';
  const range = RANGE_NAMES.find((each) => each === url.get('range')) ?? 'week';
  const isOneVersion = url.get('of') === 'version';
  const query = useQuery({
    queryKey: queryKeys.workflowData(workflow.workflowId, 'statistics', range, isOneVersion ? workflow.version : 'all'),
    queryFn: ({ signal }) => {
      const spanMs = RANGE_MS[range];
      const startedAfter =
        spanMs === undefined
          ? undefined
          : new Date(Math.floor((Date.now() - spanMs) / MINUTE_MS) * MINUTE_MS).toISOString();
      return client.getWorkflowStatistics(
        {
          workflowId: workflow.workflowId,
          ...(isOneVersion ? { version: workflow.version } : {}),
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
          value={isOneVersion ? 'version' : 'all'}
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
      {query.isSuccess && <HeatFigures workflow={workflow} statistics={query.data} measure={measure} />}
    </>
  );
}

function HeatFigures({
  workflow,
  statistics,
  measure,
}: {
  readonly workflow: WorkflowDetail;
  readonly statistics: WorkflowStatistics;
  readonly measure: Measure;
}) {
  const url = useUrlState();
  const heat = useMemo(() => computeHeat(statistics.elements, measure), [statistics, measure]);
  const shadedElements = useMemo(() => heat.filter(({ shade }) => shade > 0), [heat]);
  const marks = useMemo(
    () => new Map(shadedElements.map(({ elementId, shade }) => [elementId, `cs-heat-${shade}`])),
    [shadedElements],
  );
  const badges = useMemo(
    () =>
      shadedElements.map(({ elementId, value }): DiagramBadge => ({
        elementId,
        position: 'bottom-right',
        text: formatValue(value, measure),
        className: 'cs-heat',
      })),
    [shadedElements, measure],
  );
  const layout = useMemo(() => computeDiagramLayout(workflow.bpmnXml), [workflow.bpmnXml]);
  const { runs, sample } = statistics;
  const { total, active, blocked, completed, failed, rejected, cancelled } = runs;
  if (total === 0) return <EmptyState title={t.noRuns} />;
  const selected = url.get('element');
  const select = (element: string | undefined): void => url.set({ element });
  return (
    <div className="cs-diagram-area">
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
            {t.runs(total)}: {t.outcome(active + blocked, completed, failed, rejected, cancelled)}
          </Text>
          {!sample.complete && (
            <Alert color="yellow" py={6}>
              {t.sample(total)}
            </Alert>
          )}
          <Legend heat={shadedElements} measure={measure} />
          <HeatTable
            elements={statistics.elements}
            workflowElements={workflow.elements}
            selected={selected}
            onSelect={select}
          />
        </div>
      </div>
    </div>
  );
}

function Legend({ heat, measure }: { readonly heat: readonly ElementHeat[]; readonly measure: Measure }) {
  const legendShades = buildHeatLegend(heat);
  return (
    <Group gap="sm" role="list" aria-label={t.legend}>
      {legendShades.length === 0 && (
        <Text size="xs" role="listitem">
          {t.none}
        </Text>
      )}
      {legendShades.map(({ shade, from, to }) => (
        <Group key={shade} gap={6} role="listitem">
          <span className="cs-heat-swatch" style={{ background: `var(--cs-heat-${shade})` }} aria-hidden />
          <Text size="xs">{t.span(formatValue(from, measure), formatValue(to, measure))}</Text>
        </Group>
      ))}
    </Group>
  );
}

function formatValue(value: number, measure: Measure): string {
  return isDurationMeasure(measure) ? formatDuration(value) : value.toLocaleString('en');
}
