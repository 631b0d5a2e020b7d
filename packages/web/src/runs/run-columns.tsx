import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { useNow } from '@countersign/inbox-ui/time/use-now';
import { RiskBadge, RunStatusBadge } from '@countersign/inbox-ui/ui/badges';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import type { Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Anchor, Checkbox, Group, Text, Tooltip } from '@mantine/core';
import type { Run } from '@countersign/contract';
import { IconCornerDownRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import { describeCurrentActivity } from './describe-current-activity.js';

export interface RowSelection {
  isSelected(run: Run): boolean;
  onSelect(run: Run, range: boolean): void;
  readonly allSelected: boolean;
  readonly someSelected: boolean;
  onSelectAll(): void;
}

const { columns: headers } = texts.runs;

/**
 * Returns the columns of the list of runs.
 *
 * @param selection selection of runs; `undefined` for users who may not cancel or recover runs
 * @param hasEngineColumn whether there is a column for the engine, if the width allows it
 * @param availableWidth available width; with `little`, the current activity of a run is shown below its workflow
 */
export function createRunColumns(
  selection: RowSelection | undefined,
  hasEngineColumn: boolean,
  availableWidth: 'all' | 'some' | 'little',
): readonly Column<Run>[] {
  const selectColumns: readonly Column<Run>[] =
    selection === undefined
      ? []
      : [
          {
            key: 'select',
            width: '24px',
            header: (
              <Checkbox
                size="sm"
                aria-label={texts.runs.selectAll}
                checked={selection.allSelected}
                indeterminate={selection.someSelected && !selection.allSelected}
                onChange={selection.onSelectAll}
              />
            ),
            cell: (run) => (
              <Checkbox
                size="sm"
                tabIndex={-1}
                aria-label={texts.runs.choose(run.workflowId, runLabel(run))}
                checked={selection.isSelected(run)}
                onChange={() => undefined}
                onClick={(event) => selection.onSelect(run, event.shiftKey)}
              />
            ),
          },
        ];
  const statusColumn: Column<Run> = {
    key: 'status',
    width: '104px',
    header: headers.status,
    cell: (run) => <RunStatusBadge run={run} />,
  };
  const workflowColumn: Column<Run> = {
    key: 'workflow',
    width: 'minmax(138px, 1.2fr)',
    header: headers.workflow,
    cell: (run) => <WorkflowCell run={run} />,
  };
  const activityColumn: Column<Run> = {
    key: 'now',
    width: hasEngineColumn ? 'minmax(90px, 2fr)' : 'minmax(140px, 2.4fr)',
    header: headers.now,
    cell: (run) => <ActivityCell run={run} />,
  };
  if (availableWidth === 'some')
    return [
      ...selectColumns,
      statusColumn,
      { ...workflowColumn, width: 'minmax(120px, 1fr)' },
      { ...activityColumn, width: 'minmax(160px, 1.6fr)' },
    ];
  if (availableWidth === 'little')
    return [
      ...selectColumns,
      { ...statusColumn, width: '104px' },
      { ...workflowColumn, width: 'minmax(0, 1fr)', cell: (run) => <WorkflowAndActivityCell run={run} /> },
    ];
  const engineColumns: readonly Column<Run>[] = hasEngineColumn
    ? [
        {
          key: 'engine',
          width: '76px',
          header: headers.engine,
          cell: (run) => <TextCell text={run.engine} />,
        },
      ]
    : [];
  return [
    ...selectColumns,
    statusColumn,
    workflowColumn,
    {
      key: 'key',
      width: 'minmax(90px, 0.9fr)',
      header: headers.key,
      cell: (run) => <BusinessKeyCell businessKey={run.businessKey} />,
    },
    activityColumn,
    { key: 'risk', width: '96px', header: headers.risk, cell: (run) => <RiskBadge level={run.riskLevel} /> },
    ...engineColumns,
    {
      key: 'started',
      width: 'minmax(104px, 0.9fr)',
      header: headers.started,
      cell: (run) => <Timestamp at={run.startedAt} />,
    },
    { key: 'duration', width: '76px', header: headers.duration, cell: (run) => <Duration run={run} /> },
    {
      key: 'startedBy',
      width: 'minmax(70px, 0.8fr)',
      header: headers.startedBy,
      cell: (run) => <TextCell text={run.startedBy} />,
    },
  ];
}

/** Returns a label that distinguishes a run from other runs of its workflow. */
function runLabel(run: Run): string {
  return run.businessKey === null ? run.runId.slice(-8) : escapeInvisible(run.businessKey);
}

function TextCell({ text }: { readonly text: string }) {
  return (
    <Text size="sm" truncate title={text}>
      {text}
    </Text>
  );
}

function BusinessKeyCell({ businessKey }: { readonly businessKey: string | null }) {
  const escapedKey = businessKey === null ? undefined : escapeInvisible(businessKey);
  return (
    <Text size="sm" truncate title={escapedKey}>
      {escapedKey ?? '–'}
    </Text>
  );
}

function WorkflowCell({ run }: { readonly run: Run }) {
  return (
    <Group gap={6} wrap="nowrap">
      {run.parentRunId !== null && (
        <Tooltip label={texts.runs.child}>
          <IconCornerDownRight size={14} role="img" aria-label={texts.runs.child} style={{ flex: 'none' }} />
        </Tooltip>
      )}
      <Anchor
        component={Link}
        to={`/runs/${run.runId}`}
        size="sm"
        c="inherit"
        fw={500}
        truncate
        tabIndex={-1}
        lh="24px"
      >
        {run.workflowId}
      </Anchor>
      <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
        {texts.runs.version(run.workflowVersion)}
      </Text>
    </Group>
  );
}

function WorkflowAndActivityCell({ run }: { readonly run: Run }) {
  return (
    <>
      <WorkflowCell run={run} />
      {describeCurrentActivity(run) === '' ? (
        <BusinessKeyCell businessKey={run.businessKey} />
      ) : (
        <ActivityCell run={run} />
      )}
    </>
  );
}

function ActivityCell({ run }: { readonly run: Run }) {
  const text = escapeInvisible(describeCurrentActivity(run));
  return (
    <Text
      size="sm"
      truncate
      title={text === '' ? undefined : text}
      c={run.status === 'failed' && run.outcome === null ? 'var(--mantine-color-error)' : undefined}
    >
      {text}
    </Text>
  );
}

/** Shows the duration of a run, or the time since its start if it has not ended. */
function Duration({ run: { startedAt, completedAt } }: { readonly run: Run }) {
  return completedAt === null ? (
    <RunningDuration since={startedAt} />
  ) : (
    <>{formatDuration(Date.parse(completedAt) - Date.parse(startedAt))}</>
  );
}

function RunningDuration({ since }: { readonly since: string }) {
  const now = useNow();
  // Rounded down to whole seconds, because it is rendered once per second.
  return <>{formatDuration(Math.max(0, Math.floor((now - Date.parse(since)) / 1000) * 1000))}</>;
}
