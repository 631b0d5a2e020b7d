import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
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
import { getVersionSelectProps } from './version-select-props.js';

const t = texts.workflows;
const NO_COMPARISON = '';

type Version = WorkflowDetail['versions'][number];

/** Lists the versions of a workflow and compares two: the one shown and `?compare=`. */
export function VersionsView({
  workflow,
  comparedVersion,
}: {
  readonly workflow: WorkflowDetail;
  readonly comparedVersion: number | undefined;
}) {
  const url = useUrlState();
  const otherVersions = workflow.versions.filter(({ version }) => version !== workflow.version);
  return (
    <>
      <Group mb="sm" align="flex-end">
        <Select
          label={t.compareWith}
          w={220}
          allowDeselect={false}
          disabled={otherVersions.length === 0}
          {...getVersionSelectProps(otherVersions.length)}
          data={[
            { value: NO_COMPARISON, label: t.compareNone },
            ...otherVersions.map(({ version }) => ({ value: String(version), label: t.shortVersion(version) })),
          ]}
          value={comparedVersion === undefined ? NO_COMPARISON : String(comparedVersion)}
          onChange={(value) =>
            url.set({
              compare: value ?? undefined,
              version: workflow.version,
              view: 'versions',
              element: undefined,
            })
          }
        />
        {comparedVersion !== undefined && (
          <Text fw={600} lh="36px">
            {t.comparing(comparedVersion, workflow.version)}
          </Text>
        )}
      </Group>
      {comparedVersion === undefined ? (
        <VersionTable workflow={workflow} />
      ) : (
        <VersionComparison workflow={workflow} comparedVersion={comparedVersion} />
      )}
    </>
  );
}

function VersionComparison({
  workflow,
  comparedVersion,
}: {
  readonly workflow: WorkflowDetail;
  readonly comparedVersion: number;
}) {
  const client = useClient();
  const { workflowId } = workflow;
  const comparedQuery = useQuery({
    queryKey: queryKeys.workflow(workflowId, comparedVersion),
    queryFn: ({ signal }) => client.getWorkflow({ workflowId, version: comparedVersion }, { signal }),
  });
  if (comparedQuery.isPending) return <Loading />;
  if (comparedQuery.isError)
    return <ProblemNotice error={comparedQuery.error} onRetry={() => void comparedQuery.refetch()} />;
  return (
    <Comparison
      before={{
        xml: comparedQuery.data.bpmnXml,
        title: t.versionTitle(comparedVersion),
        label: t.diagramBefore(comparedVersion),
      }}
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
  const showVersion = (version: number): void => url.set({ version, view: undefined });
  const columns: readonly Column<Version>[] = [
    {
      key: 'version',
      header: t.version,
      width: 'minmax(90px, 1fr)',
      cell: ({ version }) => (
        <Badge variant={version === workflow.version ? 'filled' : 'light'} tt="none">
          {t.shortVersion(version)}
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
            <Button size="xs" variant="light" aria-label={t.showVersion(version)} onClick={() => showVersion(version)}>
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
        getKey={({ version }) => String(version)}
        current={current}
        onCurrent={setCurrent}
        isSelected={({ version }) => version === workflow.version}
        onOpen={({ version }) => showVersion(version)}
      />
    </div>
  );
}
