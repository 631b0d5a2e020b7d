import { useClient } from '@countersign/inbox-ui/api/client-context';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Checkbox, JsonInput, Stack, Textarea } from '@mantine/core';
import type { RecoverRunBody, RunDetail } from '@countersign/contract';
import { useMemo, useState } from 'react';
import { texts } from '../../texts/index.js';
import { PlanDialog } from '../../ui/plan-dialog.js';
import { labelOf } from '../steps/step-rows.js';
import { readVariables } from './read-variables.js';
import { RunPlanPanel } from './run-plan-panel.js';

interface RecoverDialogProps {
  readonly run: RunDetail;
  onDone(): void;
  onClose(): void;
}

/** Requests the failed steps to retry and the variables to fix first, and shows what the recovery would do. */
export function RecoverDialog({ run: { runId, steps }, onDone, onClose }: RecoverDialogProps) {
  const client = useClient();
  // Steps that had failed on opening. A step that fails later is not selected unseen.
  const [failed] = useState(() => steps.filter(({ status }) => status === 'failed'));
  const [chosen, setChosen] = useState<readonly string[]>(failed.map(({ stepId }) => stepId));
  const [text, setText] = useState('');
  const [comment, setComment] = useState('');
  const read = useMemo(() => readVariables(text), [text]);
  const body: RecoverRunBody = {
    ...(chosen.length === 0 ? {} : { steps: [...chosen] }),
    ...(read.variables === undefined ? {} : { variables: read.variables }),
    ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
  };
  return (
    <PlanDialog
      opened
      title={texts.run.recover.title}
      planKey={[runId, 'recover', chosen]}
      plan={() => client.recoverRun({ runId, body: chosen.length === 0 ? {} : { steps: [...chosen] }, dryRun: true })}
      confirmLabel={texts.run.recover.confirm}
      canConfirm={() => chosen.length > 0 && read.error === undefined}
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
            value={[...chosen]}
            onChange={setChosen}
            error={chosen.length === 0 ? texts.run.recover.noStep : undefined}
          >
            <Stack gap={6} mt={6}>
              {failed.map((step) => (
                <Checkbox
                  key={step.stepId}
                  value={step.stepId}
                  label={labelOf(step)}
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
            value={text}
            onChange={setText}
            error={read.error}
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
