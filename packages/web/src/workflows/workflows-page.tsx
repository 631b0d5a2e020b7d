import { useSession } from '@countersign/inbox-ui/session/session';
import { Page } from '@countersign/inbox-ui/ui/page';
import { Button, Tabs } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { DmnDecisionList } from './dmn-decision-list.js';
import { DeployPanel } from './deploy-panel.js';
import { WorkflowList } from './workflow-list.js';
import './workflows.css';

const t = texts.workflows;

/** Lists all workflows and DMN decisions, and deploys BPMN files. */
export function WorkflowsPage() {
  const url = useUrlState();
  const { me } = useSession();
  const tab = url.get('tab') === 'decisions' ? 'decisions' : 'workflows';
  if (me.may.deploy && url.get('deploy') !== undefined)
    return <DeployPanel onClose={() => url.set({ deploy: undefined })} />;
  const actions = me.may.deploy ? (
    <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => url.set({ deploy: 1 })}>
      {t.deploy}
    </Button>
  ) : undefined;
  return (
    <Page title={texts.app.nav.workflows} actions={actions}>
      <Tabs
        value={tab}
        onChange={(nextTab) =>
          url.set({ tab: nextTab === 'decisions' ? nextTab : undefined, decision: undefined, q: undefined })
        }
        className="cs-tabs"
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="workflows">{t.tabs.workflows}</Tabs.Tab>
          <Tabs.Tab value="decisions">{t.tabs.decisions}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="workflows" className="cs-tab-panel">
          <WorkflowList />
        </Tabs.Panel>
        <Tabs.Panel value="decisions" className="cs-tab-panel">
          <DmnDecisionList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
