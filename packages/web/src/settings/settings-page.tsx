import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Page } from '@countersign/inbox-ui/ui/page';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { AgentsTab } from './agents-tab.js';
import { Catalogue } from './catalogue.js';
import { TestsTab } from './tests-tab.js';
import './settings.css';

const t = texts.settings;
const TABS = ['catalogue', 'tests', 'agents'] as const;

/** Shows the settings, their tests, and the agents and tools, in tabs; `?tab=`. */
export function SettingsPage() {
  const client = useClient();
  const url = useUrlState();
  const tab = TABS.find((each) => each === url.get('tab')) ?? 'catalogue';
  const settingsQuery = useQuery({
    queryKey: queryKeys.settings,
    queryFn: ({ signal }) => client.getSettings({}, { signal }),
  });
  return (
    <Page title={texts.app.nav.settings}>
      {settingsQuery.isPending && <Loading />}
      {settingsQuery.isError && (
        <ProblemNotice error={settingsQuery.error} onRetry={() => void settingsQuery.refetch()} />
      )}
      {settingsQuery.isSuccess && (
        <Tabs
          value={tab}
          onChange={(nextTab) => url.set({ tab: nextTab === 'catalogue' ? undefined : (nextTab ?? undefined) })}
          className="cs-settings-tabs"
        >
          <Tabs.List>
            {TABS.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {t.tabs[each]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {/* Unsaved edits survive a visit to another tab. */}
          <Tabs.Panel value="catalogue" className="cs-settings-panel">
            <Catalogue settings={settingsQuery.data.items} />
          </Tabs.Panel>
          <Tabs.Panel value="tests" className="cs-settings-panel">
            <TestsTab targets={settingsQuery.data.targets} />
          </Tabs.Panel>
          <Tabs.Panel value="agents" className="cs-settings-panel">
            {tab === 'agents' && <AgentsTab />}
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
