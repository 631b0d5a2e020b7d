import { useClient } from '@countersign/inbox-ui/api/client-context';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Checkbox, JsonInput, Stack, Textarea } from '@mantine/core';
import type { RecoverRunBody, RunDetail } from '@countersign/contract';
import { useMemo, useState } from 'react';
import { texts } from '../../texts/index.js';
import { PlanDialog } from '../../ui/plan-dialog.js';
import { getElementLabel } from '../steps/step-rows.js';
import { parseVariables } from './parse-variables.js';
import { RunPlanPanel } from './run-plan-panel.js';

interface RecoverDialogProps {
  readonly run: RunDetail;
  onDone(): void;
  onClose(): void;
}

/** Lets the user select the failed steps to retry and correct variables, and shows the plan of the recovery. */
export function RecoverDialog({ run: { runId, steps }, onDone, onClose }: RecoverDialogProps) {
  const client = useClient();
  // Steps that had failed when the dialog was opened. A step that fails later is not retried, because the user has not
  // seen it.
  const [failedSteps] = useState(() => steps.filter(({ status }) => status === 'failed'));
  const [selectedStepIds, setSelectedStepIds] = useState<readonly string[]>(failedSteps.map(({ stepId }) => stepId));
  const [variablesText, setVariablesText] = useState('');
  const [comment, setComment] = useState('');
  const parsedVariables = useMemo(() => parseVariables(variablesText), [variablesText]);
  const body: RecoverRunBody = {
    ...(selectedStepIds.length === 0 ? {} : { steps: [...selectedStepIds] }),
    ...(parsedVariables.variables === undefined ? {} : { variables: parsedVariables.variables }),
    ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
  };
  return (
    <PlanDialog
      opened
      title={texts.run.recover.title}
      planKey={[runId, 'recover', selectedStepIds]}
      plan={() =>
        client.recoverRun({
          runId,
          body: selectedStepIds.length === 0 ? {} : { steps: [...selectedStepIds] },
          dryRun: true,
        })
      }
      confirmLabel={texts.run.recover.confirm}
      canConfirm={() => selectedStepIds.length > 0 && parsedVariables.error === undefined}
      onConfirm={async () => {
        await client.recoverRun({ runId, body });
        onDone();
      }}
      onClose={onClose}
    >
      {(plan) => (
        <>
          <Checkbox.Group
            label={texts.run.recover.steps}
            value={[...selectedStepIds]}
            onChange={setSelectedStepIds}
            error={selectedStepIds.length === 0 ? texts.run.recover.noStep : undefined}
          >
            <Stack gap={6} mt={6}>
              {failedSteps.map((step) => (
                <Checkbox
                  key={step.stepId}
                  value={step.stepId}
                  label={getElementLabel(step)}
                  description={
                    step.error === null ? undefined : escapeInvisible(`${step.error.code}: ${step.error.message}`)
                  }
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <JsonInput
            label={texts.run.recover.variables}
            description={texts.run.recover.variablesHint}
            placeholder={texts.run.recover.variablesExample}
            autosize
            minRows={2}
            maxRows={10}
            value={variablesText}
            onChange={setVariablesText}
            error={parsedVariables.error}
          />
          <Textarea
            label={texts.run.recover.comment}
            maxLength={2_000}
            autosize
            minRows={1}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
          <RunPlanPanel plan={plan} />
        </>
      )}
    </PlanDialog>
  );
}
