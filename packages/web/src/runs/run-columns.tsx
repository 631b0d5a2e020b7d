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
import { currentActivityText } from './run-activity-text.js';

export interface Choosing {
  isChosen(run: Run): boolean;
  onChoose(run: Run, range: boolean): void;
  readonly all: boolean;
  readonly some: boolean;
  onChooseAll(): void;
}

const { columns: headers } = texts.runs;

/**
 * Returns the columns of the list of runs.
 *
 * @param choosing left out for users who may not act on several runs
 * @param room available width; with `little`, the current activity of a run is below its workflow
 */
export function runColumns(choosing: Choosing | undefined, room: 'all' | 'some' | 'little'): readonly Column<Run>[] {
  const choose: readonly Column<Run>[] =
    choosing === undefined
      ? []
      : [
          {
            key: 'select',
            width: '24px',
            header: (
              <Checkbox
                size="sm"
                aria-label={texts.runs.chooseAll}
                checked={choosing.all}
                indeterminate={choosing.some && !choosing.all}
                onChange={choosing.onChooseAll}
              />
            ),
            cell: (run) => (
              <Checkbox
                size="sm"
                tabIndex={-1}
                aria-label={texts.runs.choose(run.workflowId, keyOf(run))}
                checked={choosing.isChosen(run)}
                onChange={() => undefined}
                onClick={(event) => choosing.onChoose(run, event.shiftKey)}
              />
            ),
          },
        ];
  const status: Column<Run> = {
    key: 'status',
    width: '104px',
    header: headers.status,
    cell: (run) => <RunStatusBadge run={run} />,
  };
  const workflow: Column<Run> = {
    key: 'workflow',
    width: 'minmax(138px, 1.2fr)',
    header: headers.workflow,
    cell: (run) => <WorkflowCell run={run} />,
  };
  const now: Column<Run> = {
    key: 'now',
    width: 'minmax(140px, 2.4fr)',
    header: headers.now,
    cell: (run) => <NowCell run={run} />,
  };
  if (room === 'some')
    return [...choose, status, { ...workflow, width: 'minmax(120px, 1fr)' }, { ...now, width: 'minmax(160px, 1.6fr)' }];
  if (room === 'little')
    return [
      ...choose,
      { ...status, width: '104px' },
      { ...workflow, width: 'minmax(0, 1fr)', cell: (run) => <WorkflowAndNow run={run} /> },
    ];
  return [
    ...choose,
    status,
    workflow,
    {
      key: 'key',
      width: 'minmax(90px, 0.9fr)',
      header: headers.key,
      cell: (run) => <KeyCell businessKey={run.businessKey} />,
    },
    now,
    { key: 'risk', width: '96px', header: headers.risk, cell: (run) => <RiskBadge level={run.riskLevel} /> },
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
      cell: (run) => (
        <Text size="sm" truncate title={run.startedBy}>
          {run.startedBy}
        </Text>
      ),
    },
  ];
}

/** Returns what distinguishes two runs of a workflow. */
function keyOf(run: Run): string {
  return run.businessKey === null ? run.runId.slice(-8) : escapeInvisible(run.businessKey);
}

function KeyCell({ businessKey }: { readonly businessKey: string | null }) {
  const shown = businessKey === null ? undefined : escapeInvisible(businessKey);
  return (
    <Text size="sm" truncate title={shown}>
      {shown ?? '–'}
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

function WorkflowAndNow({ run }: { readonly run: Run }) {
  return (
    <>
      <WorkflowCell run={run} />
      {currentActivityText(run) === '' ? <KeyCell businessKey={run.businessKey} /> : <NowCell run={run} />}
    </>
  );
}

function NowCell({ run }: { readonly run: Run }) {
  const text = escapeInvisible(currentActivityText(run));
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

/** Shows the duration of a run; for an active run the time so far, by the shared clock of the page. */
function Duration({ run: { startedAt, completedAt } }: { readonly run: Run }) {
  return completedAt === null ? (
    <Running since={startedAt} />
  ) : (
    <>{formatDuration(Date.parse(completedAt) - Date.parse(startedAt))}</>
  );
}

function Running({ since }: { readonly since: string }) {
  const now = useNow();
  // In whole seconds, because it renders once per second.
  return <>{formatDuration(Math.max(0, Math.floor((now - Date.parse(since)) / 1000) * 1000))}</>;
}
