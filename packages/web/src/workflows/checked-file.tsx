import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
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
import { diagramLayout } from '../diagram/diagram-layout.js';
import { texts } from '../texts/index.js';
import type { ReadFile } from './drop-zone.js';
import { FindingList } from './finding-list.js';
import { findingsOf, findingsOfProblem, worstByElement, type Finding } from './findings.js';
import { ModelDiagram } from './model-diagram.js';
import { NewestComparison } from './newest-comparison.js';

const { deployment: t } = texts.workflows;

/** Shows the server's findings on a file in its diagram, and the button that deploys it. */
export function CheckedFile({ file }: { readonly file: ReadFile }) {
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
      return <Checked file={file} plan={undefined} findings={findingsOfProblem(error.problem)} />;
    return <ProblemNotice error={error} onRetry={() => void plan.refetch()} />;
  }
  return <Checked file={file} plan={plan.data} findings={findingsOf(plan.data)} />;
}

interface CheckedProps {
  readonly file: ReadFile;
  /** `undefined` if the file is not BPMN. */
  readonly plan: DeploymentPlan | undefined;
  readonly findings: readonly Finding[];
}

function Checked({ file, plan, findings }: CheckedProps) {
  const [selected, setSelected] = useState<string>();
  const [view, setView] = useState<string | null>('findings');
  const layout = useMemo(() => diagramLayout(file.text), [file.text]);
  const worst = useMemo(() => worstByElement(findings), [findings]);
  const marks = useMemo(() => new Map([...worst].map(([id, { severity }]) => [id, `cs-${severity}`])), [worst]);
  const badges = useMemo(
    () =>
      [...worst].map(([elementId, { severity, count, messages }]): DiagramBadge => ({
        elementId,
        position: 'top-right',
        text: `${severity === 'warning' ? '⚠' : '✕'} ${count}`,
        className: `cs-${severity}`,
        title: messages,
      })),
    [worst],
  );
  const existing = plan?.processes.filter(({ version, unchanged }) => version > 1 && !unchanged) ?? [];
  return (
    <Stack style={{ flex: 1, minHeight: 0 }} gap="sm">
      <Verdict file={file} plan={plan} findings={findings} />
      <Tabs value={view} onChange={setView} className="cs-tabs" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="findings">{t.findings}</Tabs.Tab>
          {existing.map(({ workflowId, version }) => (
            <Tabs.Tab key={workflowId} value={`process:${workflowId}`}>
              {existing.length === 1 ? t.against(version - 1) : `${workflowId}: ${t.against(version - 1)}`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="findings" className="cs-tab-panel">
          <div className="cs-diagram-room">
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
        {existing.map(({ workflowId, version }) => (
          <Tabs.Panel key={workflowId} value={`process:${workflowId}`} className="cs-tab-panel">
            {view === `process:${workflowId}` && (
              <NewestComparison workflowId={workflowId} newest={version - 1} xml={file.text} fileName={file.name} />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

function Verdict({ file, plan, findings }: CheckedProps) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deploy = useMutation({
    mutationFn: () => client.deployWorkflow({ body: file.text }),
    onSuccess: async ({ workflowId, version }) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: keys.workflows }),
        queries.invalidateQueries({ queryKey: ['workflow'] }),
      ]);
      notifications.show({
        message: t.deployed(workflowId, version),
        icon: <IconCheck size={16} aria-hidden />,
        color: 'green',
      });
      await navigate(`/workflows/${encodeURIComponent(workflowId)}`);
    },
  });
  const refused = findings.filter(({ severity }) => severity === 'refusal').length;
  if (plan === undefined || refused > 0) return <Alert color="red" role="status" title={t.refused(refused)} py="xs" />;
  const nothing = plan.processes.every(({ unchanged }) => unchanged);
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
        <Button loading={deploy.isPending} disabled={nothing} onClick={() => deploy.mutate()}>
          {t.confirm}
        </Button>
      </Group>
      {deploy.isPending && <Text size="sm">{texts.app.working}</Text>}
      {deploy.isError && <ProblemNotice error={deploy.error} />}
    </Alert>
  );
}
