import { IfSupported } from '@countersign/inbox-ui/session/if-supported';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { RunDetail, RunState, WorkflowDetail } from '@countersign/contract';
import { IconLayoutSidebarRight, IconLayoutSidebarRightFilled } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { computeDiagramLayout } from '../diagram/diagram-layout.js';
import { texts } from '../texts/index.js';
import { RunDiagram } from './run-diagram.js';
import { TimeTravel } from './run-slots.js';
import { StepTree } from './steps/step-tree.js';
import type { DisplayedRun } from './displayed-run.js';
import { useRunAddress } from './use-run-address.js';
import { useStepSelection } from './use-step-selection.js';
import type { PastStateStatus } from './use-run.js';
import { useStepModel } from './use-step-model.js';

interface RunOverviewProps {
  /** Current state of the run. */
  readonly run: RunDetail;
  /** Run in the state that is shown. */
  readonly displayedRun: DisplayedRun;
  /** Past state of the run in time travel; otherwise `undefined`. */
  readonly state: RunState | undefined;
  readonly pastStateStatus: PastStateStatus;
  readonly workflow: WorkflowDetail;
}

/** Shows the diagram of the run and the list of all steps. */
export function RunOverview({ run, displayedRun, state, pastStateStatus, workflow }: RunOverviewProps) {
  const [{ at }, changeAddress] = useRunAddress();
  const [isStepListShown, setIsStepListShown] = useState(true);
  const stepModel = useStepModel(displayedRun, workflow);
  const stepSelection = useStepSelection(displayedRun.steps);
  const layout = useMemo(() => computeDiagramLayout(workflow.bpmnXml), [workflow.bpmnXml]);
  const openStep = useCallback(
    (stepId: string) => {
      stepSelection.selectStep(stepId);
      changeAddress({ step: stepId });
    },
    [stepSelection, changeAddress],
  );
  return (
    <div className="cs-run-overview">
      <div className="cs-diagram-area">
        <div
          className="cs-run-split"
          data-steps={isStepListShown}
          {...layout}
          aria-busy={pastStateStatus === 'loading'}
        >
          {pastStateStatus !== 'loaded' && <div className="cs-moment-label">{texts.timeTravel[pastStateStatus]}</div>}
          <div className="cs-run-diagram cs-moment" data-of-another={pastStateStatus !== 'loaded'}>
            <RunDiagram
              runId={run.runId}
              displayedRun={displayedRun}
              state={state}
              workflow={workflow}
              stepModel={stepModel}
              selectedElementId={stepSelection.element}
              onSelect={stepSelection.selectElement}
            />
            <Tooltip label={isStepListShown ? texts.run.steps.hide : texts.run.steps.show}>
              <ActionIcon
                className="cs-run-toggle-steps"
                variant="default"
                size={30}
                aria-expanded={isStepListShown}
                aria-label={isStepListShown ? texts.run.steps.hide : texts.run.steps.show}
                onClick={() => setIsStepListShown(!isStepListShown)}
              >
                {isStepListShown ? (
                  <IconLayoutSidebarRightFilled size={16} aria-hidden />
                ) : (
                  <IconLayoutSidebarRight size={16} aria-hidden />
                )}
              </ActionIcon>
            </Tooltip>
          </div>
          {isStepListShown && (
            <div className="cs-run-steps cs-moment" data-of-another={pastStateStatus !== 'loaded'}>
              <StepTree
                run={displayedRun}
                scopes={stepModel.scopes}
                currentStepId={stepSelection.step}
                onMove={stepSelection.selectStep}
                onOpen={openStep}
              />
            </div>
          )}
        </div>
      </div>
      <IfSupported capability="time_travel">
        <TimeTravel run={run} at={at} state={state} onAtChange={(to) => changeAddress({ at: to })} />
      </IfSupported>
    </div>
  );
}
