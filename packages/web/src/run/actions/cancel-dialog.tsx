import { useClient } from '@countersign/inbox-ui/api/client-context';
import { Textarea } from '@mantine/core';
import type { Run } from '@countersign/contract';
import { useState } from 'react';
import { texts } from '../../texts/index.js';
import { PlanDialog } from '../../ui/plan-dialog.js';
import { RunPlanPanel } from './run-plan-panel.js';

interface CancelDialogProps {
  readonly run: Run;
  onDone(): void;
  onClose(): void;
}

/** Shows the plan of a cancellation and asks for the reason. */
export function CancelDialog({ run: { runId }, onDone, onClose }: CancelDialogProps) {
  const client = useClient();
  const [reason, setReason] = useState('');
  return (
    <PlanDialog
      opened
      title={texts.run.cancel.title}
      planKey={[runId, 'cancel']}
      // The API requires a reason even for a plan, but does not store it.
      plan={() => client.cancelRun({ runId, body: { reason: texts.run.cancel.planned }, dryRun: true })}
      confirmLabel={texts.run.cancel.confirm}
      destructive
      canConfirm={() => reason.trim() !== ''}
      onConfirm={async () => {
        await client.cancelRun({ runId, body: { reason: reason.trim() } });
        onDone();
      }}
      onClose={onClose}
    >
      {(plan) => (
        <>
          <RunPlanPanel plan={plan} />
          <Textarea
            label={texts.run.cancel.reason}
            description={texts.run.cancel.reasonHint}
            required
            maxLength={2_000}
            autosize
            minRows={2}
            autoFocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
    </PlanDialog>
  );
}
