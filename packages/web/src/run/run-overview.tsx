import { BpmnDiagram } from '@countersign/inbox-ui/diagram/bpmn-diagram';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { RunDetail, RunState, WorkflowDetail } from '@countersign/contract';
import { IconLayoutSidebarRight, IconLayoutSidebarRightFilled } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { diagramLayout } from '../diagram/diagram-layout.js';
import { texts } from '../texts/index.js';
import { calledRunBadges } from './called-run-badges.js';
import { markRun } from './run-marks.js';
import { TimeTravel } from './run-slots.js';
import { StepTree } from './steps/step-tree.js';
import type { ShownRun } from './shown-run.js';
import { useRunAddress } from './use-run-address.js';
import { useStepChoice } from './use-step-choice.js';
import type { SnapshotStatus } from './use-run.js';
import { useDiagramLinks } from './use-diagram-links.js';
import { useStepModel } from './use-step-model.js';

interface RunOverviewProps {
  /** Current state of the run. */
  readonly run: RunDetail;
  /** State of the run that is shown. */
  readonly shown: ShownRun;
  /** In time travel: the past state of the run. */
  readonly state: RunState | undefined;
  readonly moment: SnapshotStatus;
  readonly workflow: WorkflowDetail;
}

/** Shows the diagram of the run and the list of all steps. */
export function RunOverview({ run, shown, state, moment, workflow }: RunOverviewProps) {
  const [{ at }, change] = useRunAddress();
  const [showsSteps, setShowsSteps] = useState(true);
  const [undrawn, setUndrawn] = useState(false);
  const { map, sources, scopes } = useStepModel(shown, workflow);
  const { marks, badges } = useMemo(
    () => markRun({ steps: shown.steps, waitingFor: shown.waitingFor, map, sources, takenFlows: state?.takenFlows }),
    [shown.steps, shown.waitingFor, map, sources, state?.takenFlows],
  );
  const called = useMemo(() => calledRunBadges(run.runId, shown.steps), [run.runId, shown.steps]);
  const allBadges = useMemo(() => [...badges, ...called], [badges, called]);
  const links = useDiagramLinks();
  const choice = useStepChoice(shown.steps);
  const layout = useMemo(() => diagramLayout(workflow.bpmnXml), [workflow.bpmnXml]);
  const open = useCallback(
    (stepId: string) => {
      choice.chooseStep(stepId);
      change({ step: stepId });
    },
    [choice, change],
  );
  return (
    <div className="cs-run-overview">
      <div className="cs-diagram-room">
        <div className="cs-run-split" data-steps={showsSteps} {...layout} aria-busy={moment === 'loading'}>
          {moment !== 'there' && <div className="cs-moment-label">{texts.timeTravel[moment]}</div>}
          <div className="cs-run-diagram cs-moment" data-of-another={moment !== 'there'}>
            {undrawn ? (
              <EmptyState title={texts.run.noDiagram} hint={texts.run.noDiagramHint} />
            ) : (
              <BpmnDiagram
                xml={workflow.bpmnXml}
                label={texts.run.diagram(workflow.name ?? workflow.workflowId)}
                marks={marks}
                badges={allBadges}
                links={links}
                selected={choice.element}
                onSelect={choice.chooseElement}
                onFailed={() => setUndrawn(true)}
              />
            )}
            <Tooltip label={showsSteps ? texts.run.steps.hide : texts.run.steps.show}>
              <ActionIcon
                className="cs-run-toggle-steps"
                variant="default"
                size={30}
                aria-expanded={showsSteps}
                aria-label={showsSteps ? texts.run.steps.hide : texts.run.steps.show}
                onClick={() => setShowsSteps(!showsSteps)}
              >
                {showsSteps ? (
                  <IconLayoutSidebarRightFilled size={16} aria-hidden />
                ) : (
                  <IconLayoutSidebarRight size={16} aria-hidden />
                )}
              </ActionIcon>
            </Tooltip>
          </div>
          {showsSteps && (
            <div className="cs-run-steps cs-moment" data-of-another={moment !== 'there'}>
              <StepTree run={shown} scopes={scopes} current={choice.step} onMove={choice.chooseStep} onOpen={open} />
            </div>
          )}
        </div>
      </div>
      <TimeTravel run={run} at={at} state={state} onAt={(to) => change({ at: to })} />
    </div>
  );
}
