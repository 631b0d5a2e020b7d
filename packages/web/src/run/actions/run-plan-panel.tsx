import { Stack, Text } from '@mantine/core';
import type { RunPlan, WaitingFor } from '@countersign/contract';
import { texts } from '../../texts/index.js';
import { getElementLabel } from '../steps/step-rows.js';
import { PlanNotes, PlanPart } from './plan-parts.js';

/** Shows the plan of a cancellation or a recovery, with the most important effects first. */
export function RunPlanPanel({ plan }: { readonly plan: RunPlan }) {
  const { stop, compensate, calledRuns, void: withdrawnWaits, retry, notes } = plan;
  const isEmpty = [stop, compensate, calledRuns, withdrawnWaits, retry].every((each) => each.length === 0);
  return (
    <Stack gap="sm">
      {isEmpty && <Text size="sm">{texts.run.plan.nothing}</Text>}
      <PlanPart title={texts.run.plan.retry} items={retry.map(getElementLabel)} />
      <PlanPart title={texts.run.plan.stop} items={stop.map(getElementLabel)} />
      <PlanPart title={texts.run.plan.void} items={withdrawnWaits.map(describeWait)} />
      <PlanPart title={texts.run.plan.compensate} items={compensate.map(getElementLabel)} />
      <PlanPart
        title={texts.run.plan.calledRuns}
        items={calledRuns.map(({ workflowId, runId, compensate: compensatedSteps }) =>
          texts.run.plan.calledRun(workflowId, runId, compensatedSteps.length),
        )}
      />
      <PlanNotes notes={notes} />
    </Stack>
  );
}

function describeWait(wait: WaitingFor): string {
  return texts.run.plan.wait(texts.run.plan.waits[wait.kind], getElementLabel(wait));
}
