import { useHasRole } from '@countersign/inbox-ui/session/session';
import { Page } from '@countersign/inbox-ui/ui/page';
import { Tabs } from '@mantine/core';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { DecisionsTab } from './decisions-tab.js';
import { PolicyTab } from './policy-tab.js';
import { TrialTab } from './trial-tab.js';
import './policies.css';

const t = texts.policies;

/** Shows past policy decisions, the current policy and the trial of a draft policy; `?tab=` selects the tab. */
export function PoliciesPage() {
  const url = useUrlState();
  const [mayReadPolicy, mayTryPolicy] = [useHasRole('operator'), useHasRole('admin')];
  const tabs = [
    'decisions' as const,
    ...(mayReadPolicy ? ['policy' as const] : []),
    ...(mayTryPolicy ? ['trial' as const] : []),
  ];
  const tab = tabs.find((each) => each === url.get('tab')) ?? 'decisions';
  return (
    <Page title={texts.app.nav.policies}>
      <Tabs
        value={tab}
        onChange={(nextTab) =>
          url.set({
            tab: nextTab === 'decisions' ? undefined : (nextTab ?? undefined),
            about: undefined,
            file: undefined,
            digest: undefined,
          })
        }
        className="cs-policies-tabs"
      >
        <Tabs.List>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="decisions" className="cs-policies-panel">
          {tab === 'decisions' && <DecisionsTab />}
        </Tabs.Panel>
        {mayReadPolicy && (
          <Tabs.Panel value="policy" className="cs-policies-panel">
            {tab === 'policy' && <PolicyTab />}
          </Tabs.Panel>
        )}
        {/* Stays mounted while another tab is open, so that the draft is kept. */}
        {mayTryPolicy && (
          <Tabs.Panel value="trial" className="cs-policies-panel">
            <TrialTab />
          </Tabs.Panel>
        )}
      </Tabs>
    </Page>
  );
}
