import type { RunDetail, RunState, WorkflowDetail } from '@countersign/contract';
import { useMemo } from 'react';
import { BpmnDiagram } from '../diagram/bpmn-diagram.js';
import { texts } from '../texts/index.js';
import { TimeTravel } from './run-slots.js';
import { useRunAddress } from './use-run-address.js';

interface RunOverviewProps {
  /** As it is now. */
  readonly run: RunDetail;
  /** As it is shown. */
  readonly shown: RunDetail;
  /** Under time travel: the run as it was then. */
  readonly state: RunState | undefined;
  readonly workflow: WorkflowDetail;
}

/** Where the run stands: the diagram, and beside it all steps. */
export function RunOverview({ run, shown, state, workflow }: RunOverviewProps) {
  const [{ element, at }, change] = useRunAddress();
  const marks = useMemo(() => new Map(shown.steps.map(({ elementId, status }) => [elementId, status === 'completed' ? 'cs-done' : `cs-${status}`])), [shown.steps]);
  return (
    <div className="cs-run-overview">
      <BpmnDiagram xml={workflow.bpmnXml} label={texts.run.diagram(workflow.name ?? workflow.workflowId)} marks={marks} badges={[]} selected={element} onSelect={(to) => change({ element: to })} />
      <TimeTravel run={run} at={at} state={state} onAt={(to) => change({ at: to })} />
    </div>
  );
}
