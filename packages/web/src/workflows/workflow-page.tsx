import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useSession } from '@countersign/inbox-ui/session/session';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Page } from '@countersign/inbox-ui/ui/page';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Anchor, Button, Group, Select, Tabs, Text } from '@mantine/core';
import type { WorkflowDetail } from '@countersign/contract';
import { IconPlayerPlay, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { WorkflowDiagram } from './workflow-diagram.js';
import { HeatView } from './heat-view.js';
import { getVersionSelectProps } from './version-select-props.js';
import { VersionsView } from './versions-view.js';
import { canStartOnRequest, describeStarts } from './describe-starts.js';
import { getStartRunPath } from './workflow-list.js';

const t = texts.workflows;
const VIEWS = ['diagram', 'versions', 'heat', 'source'] as const;

/** Shows one workflow version: `?version=`, `?view=`, and the parameters of the view. */
export function WorkflowPage() {
  const { workflowId = '' } = useParams();
  const client = useClient();
  const url = useUrlState();
  const requestedVersion = parseVersion(url.get('version'));
  const query = useQuery({
    queryKey: queryKeys.workflow(workflowId, requestedVersion),
    queryFn: ({ signal }) =>
      client.getWorkflow(
        { workflowId, ...(requestedVersion === undefined ? {} : { version: requestedVersion }) },
        { signal },
      ),
    placeholderData: (previous) => (previous?.workflowId === workflowId ? previous : undefined),
  });
  if (query.isPending)
    return (
      <Page title={workflowId}>
        <Loading />
      </Page>
    );
  if (query.isError)
    return (
      <Page title={workflowId}>
        <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
      </Page>
    );
  return <LoadedWorkflow workflow={query.data} />;
}

function LoadedWorkflow({ workflow }: { readonly workflow: WorkflowDetail }) {
  const { workflowId, version, versions } = workflow;
  const url = useUrlState();
  const { me } = useSession();
  const name = workflow.name ?? workflowId;
  const newestVersion = versions[0]?.version ?? version;
  const view =
    url.get('compare') === undefined ? (VIEWS.find((each) => each === url.get('view')) ?? 'diagram') : 'versions';
  const actions = (
    <>
      <Select
        aria-label={t.version}
        w={150}
        allowDeselect={false}
        {...getVersionSelectProps(versions.length)}
        data={versions.map((each, index) => ({
          value: String(each.version),
          label: index === 0 ? t.newest(each.version) : t.shortVersion(each.version),
        }))}
        value={String(version)}
        onChange={(value) => url.set({ version: value === String(newestVersion) ? undefined : (value ?? undefined) })}
      />
      {me.may.deploy && (
        <Button
          component={Link}
          to="/workflows?deploy=1"
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
        >
          {t.deploy}
        </Button>
      )}
      {me.may.startRun && canStartOnRequest(workflow) && (
        <Button
          component={Link}
          to={getStartRunPath(workflowId)}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
        >
          {t.start}
        </Button>
      )}
    </>
  );
  return (
    <Page title={name} actions={actions}>
      <Text c="dimmed" size="sm" mb="xs">
        <Text span ff="monospace" size="sm">
          {workflowId}
        </Text>{' '}
        · {t.elementCount(workflow.elements.length)}
        {!canStartOnRequest(workflow) && ` · ${describeStarts(workflow)}`}
      </Text>
      {version !== newestVersion && view !== 'versions' && (
        <Alert color="yellow" mb="xs" py={6}>
          <Group gap="xs">
            <Text size="sm">{t.older(newestVersion)}</Text>
            <Anchor
              component="button"
              type="button"
              size="sm"
              c="inherit"
              td="underline"
              onClick={() => url.set({ version: undefined })}
            >
              {t.toNewest}
            </Anchor>
          </Group>
        </Alert>
      )}
      <Tabs
        value={view}
        onChange={(nextView) =>
          url.set({
            view: nextView === 'diagram' || nextView === null ? undefined : nextView,
            compare: undefined,
            element: undefined,
          })
        }
        className="cs-tabs"
        keepMounted={false}
      >
        <Tabs.List>
          {VIEWS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t.views[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={view} className="cs-tab-panel">
          {view === 'diagram' && <WorkflowDiagram workflow={workflow} />}
          {view === 'versions' && (
            <VersionsView workflow={workflow} comparedVersion={parseVersion(url.get('compare'))} />
          )}
          {view === 'heat' && <HeatView workflow={workflow} />}
          {view === 'source' && (
            <pre className="cs-code-block" tabIndex={0} role="region" aria-label={t.views.source} style={{ flex: 1 }}>
              {workflow.bpmnXml}
            </pre>
          )}
        </Tabs.Panel>
        {/* Each tab must refer to an existing panel. */}
        {VIEWS.filter((each) => each !== view).map((each) => (
          <Tabs.Panel key={each} value={each}>
            {null}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function parseVersion(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
