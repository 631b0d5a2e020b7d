import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Badge, Button, Group, Select, Text } from '@mantine/core';
import type { WorkflowDetail } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { Comparison } from './comparison.js';
import { versionSelectProps } from './version-select-props.js';

const { workflows: t } = texts;
const NONE = '';

type Version = WorkflowDetail['versions'][number];

/** Lists the versions of a workflow and compares two: the one shown and `?compare=`. */
export function VersionsView({
  workflow,
  compare,
}: {
  readonly workflow: WorkflowDetail;
  readonly compare: number | undefined;
}) {
  const url = useUrlState();
  const others = workflow.versions.filter(({ version }) => version !== workflow.version);
  return (
    <>
      <Group mb="sm" align="flex-end">
        <Select
          label={t.compareWith}
          w={220}
          allowDeselect={false}
          disabled={others.length === 0}
          {...versionSelectProps(others.length)}
          data={[
            { value: NONE, label: t.compareNone },
            ...others.map(({ version }) => ({ value: String(version), label: t.versionOf(version) })),
          ]}
          value={compare === undefined ? NONE : String(compare)}
          onChange={(value) =>
            url.set({ compare: value ?? undefined, version: workflow.version, view: 'versions', element: undefined })
          }
        />
        {compare !== undefined && (
          <Text fw={600} lh="36px">
            {t.comparing(compare, workflow.version)}
          </Text>
        )}
      </Group>
      {compare === undefined ? (
        <VersionTable workflow={workflow} />
      ) : (
        <OtherVersion workflow={workflow} compare={compare} />
      )}
    </>
  );
}

function OtherVersion({ workflow, compare }: { readonly workflow: WorkflowDetail; readonly compare: number }) {
  const client = useClient();
  const { workflowId } = workflow;
  const before = useQuery({
    queryKey: keys.workflow(workflowId, compare),
    queryFn: ({ signal }) => client.getWorkflow({ workflowId, version: compare }, { signal }),
  });
  if (before.isPending) return <Loading />;
  if (before.isError) return <ProblemNotice error={before.error} onRetry={() => void before.refetch()} />;
  return (
    <Comparison
      before={{ xml: before.data.bpmnXml, title: t.versionTitle(compare), label: t.diagramBefore(compare) }}
      after={{
        xml: workflow.bpmnXml,
        title: t.versionTitle(workflow.version),
        label: t.diagramAfter(workflow.version),
      }}
    />
  );
}

function VersionTable({ workflow }: { readonly workflow: WorkflowDetail }) {
  const url = useUrlState();
  const [current, setCurrent] = useState(0);
  const show = (version: number): void => url.set({ version, view: undefined });
  const columns: readonly Column<Version>[] = [
    {
      key: 'version',
      header: t.version,
      width: 'minmax(90px, 1fr)',
      cell: ({ version }) => (
        <Badge variant={version === workflow.version ? 'filled' : 'light'} tt="none">
          {t.versionOf(version)}
        </Badge>
      ),
    },
    {
      key: 'deployed',
      header: t.columns.deployed,
      width: 'minmax(110px, 1fr)',
      cell: ({ deployedAt }) => <Timestamp at={deployedAt} />,
    },
    { key: 'by', header: t.deployedBy, width: 'minmax(90px, 1fr)', cell: ({ deployedBy }) => deployedBy },
    {
      key: 'digest',
      header: t.digest,
      width: '170px',
      cell: ({ digest }) => (
        <Text span ff="monospace" size="xs" title={digest}>
          {digest.slice(0, 19)}…
        </Text>
      ),
    },
    {
      key: 'actions',
      header: t.columns.actions,
      width: '200px',
      cell: ({ version }) =>
        version !== workflow.version && (
          <Group gap="xs" wrap="nowrap">
            <Button size="xs" variant="light" aria-label={t.showVersion(version)} onClick={() => show(version)}>
              {t.show}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t.compareVersion(version)}
              onClick={() =>
                url.set({
                  compare: Math.min(version, workflow.version),
                  version: Math.max(version, workflow.version),
                  view: 'versions',
                })
              }
            >
              {t.compare}
            </Button>
          </Group>
        ),
    },
  ];
  return (
    <div className="cs-versions">
      <VirtualTable
        label={t.versionsLabel}
        columns={columns}
        items={workflow.versions}
        keyOf={({ version }) => String(version)}
        current={current}
        onCurrent={setCurrent}
        isSelected={({ version }) => version === workflow.version}
        onOpen={({ version }) => show(version)}
      />
    </div>
  );
}
