import { Badge, Button, Group, Select, Table, Text } from '@mantine/core';
import type { WorkflowDetail } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { texts } from '../texts/index.js';
import { Timestamp } from '../time/timestamp.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { useUrlState } from '../ui/use-url-state.js';
import { Comparison } from './comparison.js';
import { TableHead } from '../ui/table-head.js';

const { workflows: t } = texts;
const NONE = '';

/** The versions of a workflow, and two of them side by side: the one that is shown, and `?compare=`. */
export function VersionsView({ workflow, compare }: { readonly workflow: WorkflowDetail; readonly compare: number | undefined }) {
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
          data={[{ value: NONE, label: t.compareNone }, ...others.map(({ version }) => ({ value: String(version), label: t.versionOf(version) }))]}
          value={compare === undefined ? NONE : String(compare)}
          onChange={(value) => url.set({ compare: value ?? undefined, version: workflow.version, view: 'versions', element: undefined })}
        />
        {compare !== undefined && <Text fw={600}>{t.comparing(compare, workflow.version)}</Text>}
      </Group>
      {compare === undefined ? <VersionTable workflow={workflow} /> : <OtherVersion workflow={workflow} compare={compare} />}
    </>
  );
}

function OtherVersion({ workflow, compare }: { readonly workflow: WorkflowDetail; readonly compare: number }) {
  const client = useClient();
  const { workflowId } = workflow;
  const before = useQuery({ queryKey: keys.workflow(workflowId, compare), queryFn: ({ signal }) => client.getWorkflow({ workflowId, version: compare }, { signal }) });
  if (before.isPending) return <Loading />;
  if (before.isError) return <ProblemNotice error={before.error} onRetry={() => void before.refetch()} />;
  return (
    <Comparison
      before={{ xml: before.data.bpmnXml, title: t.versionTitle(compare), label: t.diagramBefore(compare) }}
      after={{ xml: workflow.bpmnXml, title: t.versionTitle(workflow.version), label: t.diagramAfter(workflow.version) }}
    />
  );
}

function VersionTable({ workflow }: { readonly workflow: WorkflowDetail }) {
  const url = useUrlState();
  return (
    <div className="cs-scroll">
      <Table aria-label={t.versionsLabel} highlightOnHover>
        <TableHead columns={[t.version, t.columns.deployed, t.deployedBy, t.digest, t.columns.actions]} />
        <Table.Tbody>
          {workflow.versions.map(({ version, deployedAt, deployedBy, digest }) => (
            <Table.Tr key={version} aria-current={version === workflow.version ? 'true' : undefined}>
              <Table.Td>
                <Badge variant={version === workflow.version ? 'filled' : 'light'} tt="none">
                  {t.versionOf(version)}
                </Badge>
              </Table.Td>
              <Table.Td>
                <Timestamp at={deployedAt} />
              </Table.Td>
              <Table.Td>{deployedBy}</Table.Td>
              <Table.Td>
                <Text ff="monospace" size="xs" title={digest}>
                  {digest.slice(0, 19)}…
                </Text>
              </Table.Td>
              <Table.Td>
                {version !== workflow.version && (
                  <Group gap="xs">
                    <Button size="xs" variant="light" aria-label={t.showVersion(version)} onClick={() => url.set({ version, view: undefined })}>
                      {t.show}
                    </Button>
                    <Button size="xs" variant="default" aria-label={t.compareVersion(version)} onClick={() => url.set({ compare: Math.min(version, workflow.version), version: Math.max(version, workflow.version), view: 'versions' })}>
                      {t.compare}
                    </Button>
                  </Group>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
