import { Stack, Text } from '@mantine/core';
import type { RunPlan, WaitingFor } from '@countersign/contract';
import { texts } from '../../texts/index.js';
import { labelOf } from '../steps/step-rows.js';
import { PlanNotes, PlanPart } from './plan-parts.js';

/** Shows what a cancellation or a recovery would do, most important consequences first. */
export function RunPlanPanel({ plan }: { readonly plan: RunPlan }) {
  const { stop, compensate, calledRuns, void: withdrawn, retry, notes } = plan;
  const nothing = [stop, compensate, calledRuns, withdrawn, retry].every((each) => each.length === 0);
  return (
    <Stack gap="sm">
      {nothing && <Text size="sm">{texts.run.plan.nothing}</Text>}
      <PlanPart title={texts.run.plan.retry} items={retry.map(labelOf)} />
      <PlanPart title={texts.run.plan.stop} items={stop.map(labelOf)} />
      <PlanPart title={texts.run.plan.void} items={withdrawn.map(waitOf)} />
      <PlanPart title={texts.run.plan.compensate} items={compensate.map(labelOf)} />
      <PlanPart
        title={texts.run.plan.calledRuns}
        items={calledRuns.map(({ workflowId, runId, compensate: undone }) =>
          texts.run.plan.calledRun(workflowId, runId, undone.length),
        )}
      />
      <PlanNotes notes={notes} />
    </Stack>
  );
}

function waitOf(wait: WaitingFor): string {
  return texts.run.plan.wait(texts.run.plan.waits[wait.kind], labelOf(wait));
}
