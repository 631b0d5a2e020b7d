import { BpmnDiagram } from '@countersign/inbox-ui/diagram/bpmn-diagram';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { RunDetail, RunState, WorkflowDetail } from '@countersign/contract';
import { IconLayoutSidebarRight, IconLayoutSidebarRightFilled } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { computeDiagramLayout } from '../diagram/diagram-layout.js';
import { texts } from '../texts/index.js';
import { calledRunBadges } from './called-run-badges.js';
import { markRun } from './run-marks.js';
import { TimeTravel } from './run-slots.js';
import { StepTree } from './steps/step-tree.js';
import type { RunSnapshot } from './run-snapshot.js';
import { useRunAddress } from './use-run-address.js';
import { useStepChoice } from './use-step-choice.js';
import type { SnapshotStatus } from './use-run.js';
import { useDiagramLinks } from './use-diagram-links.js';
import { useStepModel } from './use-step-model.js';

interface RunOverviewProps {
  /** Current state of the run. */
  readonly run: RunDetail;
  /** State of the run that is shown. */
  readonly snapshot: RunSnapshot;
  /** In time travel: the past state of the run. */
  readonly state: RunState | undefined;
  readonly snapshotStatus: SnapshotStatus;
  readonly workflow: WorkflowDetail;
}

/** Shows the diagram of the run and the list of all steps. */
export function RunOverview({ run, snapshot, state, snapshotStatus, workflow }: RunOverviewProps) {
  const [{ at }, changeAddress] = useRunAddress();
  const [isStepListShown, setIsStepListShown] = useState(true);
  const [hasDiagramFailed, setHasDiagramFailed] = useState(false);
  const { modelIndex, sources, scopes } = useStepModel(snapshot, workflow);
  const { marks, badges } = useMemo(
    () =>
      markRun({
        steps: snapshot.steps,
        waitingFor: snapshot.waitingFor,
        modelIndex,
        sources,
        takenFlows: state?.takenFlows,
      }),
    [snapshot.steps, snapshot.waitingFor, modelIndex, sources, state?.takenFlows],
  );
  const calledRunBadgeList = useMemo(() => calledRunBadges(run.runId, snapshot.steps), [run.runId, snapshot.steps]);
  const allBadges = useMemo(() => [...badges, ...calledRunBadgeList], [badges, calledRunBadgeList]);
  const links = useDiagramLinks();
  const stepChoice = useStepChoice(snapshot.steps);
  const layout = useMemo(() => computeDiagramLayout(workflow.bpmnXml), [workflow.bpmnXml]);
  const openStep = useCallback(
    (stepId: string) => {
      stepChoice.chooseStep(stepId);
      changeAddress({ step: stepId });
    },
    [stepChoice, changeAddress],
  );
  return (
    <div className="cs-run-overview">
      <div className="cs-diagram-room">
        <div className="cs-run-split" data-steps={isStepListShown} {...layout} aria-busy={snapshotStatus === 'loading'}>
          {snapshotStatus !== 'there' && <div className="cs-moment-label">{texts.timeTravel[snapshotStatus]}</div>}
          <div className="cs-run-diagram cs-moment" data-of-another={snapshotStatus !== 'there'}>
            {hasDiagramFailed ? (
              <EmptyState title={texts.run.noDiagram} hint={texts.run.noDiagramHint} />
            ) : (
              <BpmnDiagram
                xml={workflow.bpmnXml}
                label={texts.run.diagram(workflow.name ?? workflow.workflowId)}
                marks={marks}
                badges={allBadges}
                links={links}
                selected={stepChoice.element}
                onSelect={stepChoice.chooseElement}
                onFailed={() => setHasDiagramFailed(true)}
              />
            )}
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
            <div className="cs-run-steps cs-moment" data-of-another={snapshotStatus !== 'there'}>
              <StepTree
                run={snapshot}
                scopes={scopes}
                currentStepId={stepChoice.step}
                onMove={stepChoice.chooseStep}
                onOpen={openStep}
              />
            </div>
          )}
        </div>
      </div>
      <TimeTravel run={run} at={at} state={state} onAtChange={(to) => changeAddress({ at: to })} />
    </div>
  );
}
