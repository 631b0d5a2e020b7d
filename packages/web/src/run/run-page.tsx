import { isNotFound } from '@countersign/inbox-ui/api/query-client';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Page } from '@countersign/inbox-ui/ui/page';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Tabs } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useParams } from 'react-router';
import { texts } from '../texts/index.js';
import { RunActions, type RunAction } from './actions/run-actions.js';
import { RunHeading, RunFacts } from './run-header.js';
import { RunOverview } from './run-overview.js';
import type { RunPartProps } from './run-part-props.js';
import { StepDrawer } from './run-slots.js';
import { RUN_TABS } from './run-tabs.js';
import { useRunAddress } from './use-run-address.js';
import { useRunAtEvent, useRun, useDisplayedRun, useWorkflowVersion } from './use-run.js';
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
  const [address, changeAddress] = useRunAddress();
  const goToLastEvent = useCallback((at: number) => changeAddress({ at }), [changeAddress]);
  const pastState = useRunAtEvent(run.runId, address.at, goToLastEvent);
  const displayedRun = useDisplayedRun(run, pastState.state);
  const [openAction, setOpenAction] = useState<RunAction>();
  const tab = RUN_TABS.some(({ key }) => key === address.tab) ? address.tab : OVERVIEW;
  return (
    <Page
      title={texts.run.pageTitle(workflow.name ?? run.workflowId)}
      heading={<RunHeading run={run} workflow={workflow} />}
      actions={<RunActions run={run} workflow={workflow} openAction={openAction} onOpenAction={setOpenAction} />}
    >
      <RunFacts run={run} workflow={workflow} />
      <RunExplanationBar
        run={run}
        onOpenStep={(step) => changeAddress({ step })}
        onShowQuestions={() => changeAddress({ tab: 'conversation' })}
        onRecover={() => setOpenAction('recover')}
      />
      <div className="cs-run-body">
        <Tabs
          className="cs-run-tabs"
          value={tab}
          onChange={(nextTab) => changeAddress({ tab: nextTab === OVERVIEW ? undefined : (nextTab ?? undefined) })}
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
            <RunOverview
              run={run}
              displayedRun={displayedRun}
              state={pastState.state}
              pastStateStatus={pastState.status}
              workflow={workflow}
            />
            {pastState.query.isError && address.at !== undefined && (
              <ProblemNotice error={pastState.query.error} onRetry={() => void pastState.query.refetch()} />
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
            run={displayedRun}
            pastStateStatus={pastState.status}
            stepId={address.step}
            onClose={() => changeAddress({ step: undefined })}
          />
        )}
      </div>
    </Page>
  );
}
