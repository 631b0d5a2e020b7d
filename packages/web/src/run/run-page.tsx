import { isNotFound } from '@countersign/inbox-ui/api/queries';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Page } from '@countersign/inbox-ui/ui/page';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Tabs } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useParams } from 'react-router';
import { texts } from '../texts/index.js';
import { RunActions, type RunAct } from './actions/run-actions.js';
import { RunHeading, RunFacts } from './run-header.js';
import { RunOverview } from './run-overview.js';
import type { RunPartProps } from './run-part.js';
import { StepDrawer } from './run-slots.js';
import { RUN_TABS } from './run-tabs.js';
import { useRunAddress } from './use-run-address.js';
import { useRunAtEvent, useRun, useShownRun, useWorkflowVersion } from './use-run.js';
import { RunExplanationBar } from './waiting/run-explanation-bar.js';
import './run.css';

/** Shows the progress of a run, why it waits and the actions available. */
export function RunPage() {
  const { runId = '' } = useParams();
  const run = useRun(runId);
  const workflow = useWorkflowVersion(run.data);
  const error = run.error ?? workflow.error;
  if (run.data !== undefined && workflow.data !== undefined)
    return <LoadedRun key={runId} run={run.data} workflow={workflow.data} />;
  return (
    <Page title={texts.run.title}>
      {isNotFound(error) ? (
        <EmptyState title={texts.run.notFound} hint={texts.run.notFoundHint} />
      ) : error === null ? (
        <Loading />
      ) : (
        <ProblemNotice error={error} onRetry={() => void Promise.all([run.refetch(), workflow.refetch()])} />
      )}
    </Page>
  );
}

const OVERVIEW = 'overview';

function LoadedRun({ run, workflow }: RunPartProps) {
  const [address, change] = useRunAddress();
  const toLast = useCallback((at: number) => change({ at }), [change]);
  const moment = useRunAtEvent(run.runId, address.at, toLast);
  const shown = useShownRun(run, moment.state);
  const [act, setAct] = useState<RunAct>();
  const tab = RUN_TABS.some(({ key }) => key === address.tab) ? address.tab : OVERVIEW;
  return (
    <Page
      title={texts.run.pageTitle(workflow.name ?? run.workflowId)}
      heading={<RunHeading run={run} workflow={workflow} />}
      actions={<RunActions run={run} workflow={workflow} act={act} onAct={setAct} />}
    >
      <RunFacts run={run} workflow={workflow} />
      <RunExplanationBar
        run={run}
        onStep={(step) => change({ step })}
        onQuestion={() => change({ tab: 'conversation' })}
        onRecover={() => setAct('recover')}
      />
      <div className="cs-run-body">
        <Tabs
          className="cs-run-tabs"
          value={tab}
          onChange={(to) => change({ tab: to === OVERVIEW ? undefined : (to ?? undefined) })}
          keepMounted={false}
        >
          <Tabs.List aria-label={texts.run.parts}>
            <Tabs.Tab value={OVERVIEW}>{texts.run.tabs.overview}</Tabs.Tab>
            {RUN_TABS.map(({ key, label, count }) => (
              <Tabs.Tab
                key={key}
                value={key}
                rightSection={
                  (count?.(run) ?? 0) > 0 ? <span className="cs-run-tab-count">{count?.(run)}</span> : undefined
                }
              >
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={OVERVIEW} className="cs-run-panel">
            <RunOverview run={run} shown={shown} state={moment.state} moment={moment.status} workflow={workflow} />
            {moment.query.isError && address.at !== undefined && (
              <ProblemNotice error={moment.query.error} onRetry={() => void moment.query.refetch()} />
            )}
          </Tabs.Panel>
          {RUN_TABS.map(({ key, Content }) => (
            <Tabs.Panel key={key} value={key} className="cs-run-panel">
              <Content run={run} workflow={workflow} />
            </Tabs.Panel>
          ))}
        </Tabs>
        {address.step !== undefined && (
          <StepDrawer
            run={shown}
            moment={moment.status}
            stepId={address.step}
            onClose={() => change({ step: undefined })}
          />
        )}
      </div>
    </Page>
  );
}
