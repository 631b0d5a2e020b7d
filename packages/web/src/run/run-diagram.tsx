import type { RunState, WorkflowDetail } from '@countersign/contract';
import { BpmnDiagram } from '@countersign/inbox-ui/diagram/bpmn-diagram';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { useMemo, useState } from 'react';
import { texts } from '../texts/index.js';
import { createChildRunBadges } from './create-child-run-badges.js';
import type { DisplayedRun } from './displayed-run.js';
import { markRun } from './run-marks.js';
import { useDiagramLinks } from './use-diagram-links.js';
import type { StepModel } from './use-step-model.js';

interface RunDiagramProps {
  readonly runId: string;
  readonly displayedRun: DisplayedRun;
  /** Past state of the run in time travel; otherwise `undefined`. */
  readonly state: RunState | undefined;
  readonly workflow: WorkflowDetail;
  readonly stepModel: Pick<StepModel, 'modelIndex' | 'sources'>;
  readonly selectedElementId: string | undefined;
  readonly onSelect: (elementId: string) => void;
}

/** Shows the BPMN diagram of the run: the status of each step, and links to child runs. */
export function RunDiagram({
  runId,
  displayedRun,
  state,
  workflow,
  stepModel: { modelIndex, sources },
  selectedElementId,
  onSelect,
}: RunDiagramProps) {
  const [hasFailed, setHasFailed] = useState(false);
  const { marks, badges } = useMemo(
    () =>
      markRun({
        steps: displayedRun.steps,
        waitingFor: displayedRun.waitingFor,
        modelIndex,
        sources,
        takenFlows: state?.takenFlows,
      }),
    [displayedRun.steps, displayedRun.waitingFor, modelIndex, sources, state?.takenFlows],
  );
  const childRunBadges = useMemo(() => createChildRunBadges(runId, displayedRun.steps), [runId, displayedRun.steps]);
  const allBadges = useMemo(() => [...badges, ...childRunBadges], [badges, childRunBadges]);
  const links = useDiagramLinks();
  if (hasFailed) return <EmptyState title={texts.run.noDiagram} hint={texts.run.noDiagramHint} />;
  return (
    <BpmnDiagram
      xml={workflow.bpmnXml}
      label={texts.run.diagram(workflow.name ?? workflow.workflowId)}
      marks={marks}
      badges={allBadges}
      links={links}
      selected={selectedElementId}
      onSelect={onSelect}
      onFailed={() => setHasFailed(true)}
    />
  );
}
