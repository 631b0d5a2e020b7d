import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import type { DiagramBadge } from '@countersign/inbox-ui/diagram/diagram-view';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Anchor, Button, Group, List, Stack, Tabs, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ProblemError, type DeploymentPlan } from '@countersign/contract';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { computeDiagramLayout } from '../diagram/diagram-layout.js';
import { texts } from '../texts/index.js';
import type { SelectedFile } from './drop-zone.js';
import { FindingList } from './finding-list.js';
import { getPlanFindings, getProblemFindings, summarizeByElement, type Finding } from './findings.js';
import { ModelDiagram } from './model-diagram.js';
import { NewestComparison } from './newest-comparison.js';

const { deployment: t } = texts.workflows;

/** Shows the server's findings on a file, in its diagram and as a list, and the button that deploys the file. */
export function CheckedFile({ file }: { readonly file: SelectedFile }) {
  const client = useClient();
  const plan = useQuery({
    queryKey: ['plan', 'deployment', file.id, file.name],
    queryFn: ({ signal }) => client.deployWorkflow({ dryRun: true, body: file.text }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (plan.isPending) return <Loading />;
  if (plan.isError) {
    const { error } = plan;
    if (error instanceof ProblemError && error.code === 'model_refused')
      return <CheckResult file={file} plan={undefined} findings={getProblemFindings(error.problem)} />;
    return <ProblemNotice error={error} onRetry={() => void plan.refetch()} />;
  }
  return <CheckResult file={file} plan={plan.data} findings={getPlanFindings(plan.data)} />;
}

interface CheckResultProps {
  readonly file: SelectedFile;
  /** Plan of the deployment; `undefined` if the server refused the file without a plan. */
  readonly plan: DeploymentPlan | undefined;
  readonly findings: readonly Finding[];
}

function CheckResult({ file, plan, findings }: CheckResultProps) {
  const [selected, setSelected] = useState<string>();
  const [view, setView] = useState<string | null>('findings');
  const layout = useMemo(() => computeDiagramLayout(file.text), [file.text]);
  const findingSummaries = useMemo(() => summarizeByElement(findings), [findings]);
  const marks = useMemo(
    () => new Map([...findingSummaries].map(([id, { severity }]) => [id, `cs-${severity}`])),
    [findingSummaries],
  );
  const badges = useMemo(
    () =>
      [...findingSummaries].map(([elementId, { severity, count, messages }]): DiagramBadge => ({
        elementId,
        position: 'top-right',
        text: `${severity === 'warning' ? '⚠' : '✕'} ${count}`,
        className: `cs-${severity}`,
        title: messages,
      })),
    [findingSummaries],
  );
  const changedProcesses = plan?.processes.filter(({ version, unchanged }) => version > 1 && !unchanged) ?? [];
  return (
    <Stack style={{ flex: 1, minHeight: 0 }} gap="sm">
      <DeploymentSummary file={file} plan={plan} findings={findings} />
      <Tabs value={view} onChange={setView} className="cs-tabs" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="findings">{t.findings}</Tabs.Tab>
          {changedProcesses.map(({ workflowId, version }) => (
            <Tabs.Tab key={workflowId} value={`process:${workflowId}`}>
              {changedProcesses.length === 1
                ? t.comparedWith(version - 1)
                : `${workflowId}: ${t.comparedWith(version - 1)}`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="findings" className="cs-tab-panel">
          <div className="cs-diagram-area">
            <div className="cs-split" {...layout}>
              <ModelDiagram
                xml={file.text}
                label={t.preview(file.name)}
                marks={marks}
                badges={badges}
                selected={selected}
                onSelect={setSelected}
              />
              <FindingList findings={findings} selected={selected} onSelect={setSelected} />
            </div>
          </div>
        </Tabs.Panel>
        {changedProcesses.map(({ workflowId, version }) => (
          <Tabs.Panel key={workflowId} value={`process:${workflowId}`} className="cs-tab-panel">
            {view === `process:${workflowId}` && (
              <NewestComparison
                workflowId={workflowId}
                newestVersion={version - 1}
                xml={file.text}
                fileName={file.name}
              />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

function DeploymentSummary({ file, plan, findings }: CheckResultProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const deployMutation = useMutation({
    mutationFn: () => client.deployWorkflow({ body: file.text }),
    onSuccess: async ({ workflowId, version }) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.workflows }),
        queryClient.invalidateQueries({ queryKey: ['workflow'] }),
      ]);
      notifications.show({
        message: t.deployed(workflowId, version),
        icon: <IconCheck size={16} aria-hidden />,
        color: 'green',
      });
      await navigate(`/workflows/${encodeURIComponent(workflowId)}`);
    },
  });
  const refusalCount = findings.filter(({ severity }) => severity === 'refusal').length;
  if (plan === undefined || refusalCount > 0)
    return <Alert color="red" role="status" title={t.refused(refusalCount)} py="xs" />;
  const isUnchanged = plan.processes.every(({ unchanged }) => unchanged);
  return (
    <Alert
      color={findings.length > 0 ? 'yellow' : 'green'}
      role="status"
      title={findings.length > 0 ? t.okWarnings(findings.length) : t.ok}
      py="xs"
    >
      <Group justify="space-between" align="center">
        <List size="sm">
          {plan.processes.map(({ workflowId, version, unchanged }) => (
            <List.Item key={workflowId}>
              {unchanged ? t.unchanged(workflowId, version) : t.newVersion(workflowId, version)}{' '}
              {(unchanged || version > 1) && (
                <Anchor
                  component={Link}
                  to={`/workflows/${encodeURIComponent(workflowId)}`}
                  size="sm"
                  c="inherit"
                  td="underline"
                >
                  {texts.workflows.show}
                </Anchor>
              )}
            </List.Item>
          ))}
        </List>
        <Button loading={deployMutation.isPending} disabled={isUnchanged} onClick={() => deployMutation.mutate()}>
          {t.confirm}
        </Button>
      </Group>
      {deployMutation.isPending && <Text size="sm">{texts.app.working}</Text>}
      {deployMutation.isError && <ProblemNotice error={deployMutation.error} />}
    </Alert>
  );
}
