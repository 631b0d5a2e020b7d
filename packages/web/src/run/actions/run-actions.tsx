import { useMay } from '@countersign/inbox-ui/session/session';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { texts } from '../../texts/index.js';
import type { RunPartProps } from '../run-part.js';
import { CancelDialog } from './cancel-dialog.js';
import { EvidenceButton } from './evidence-button.js';
import { MigrateDialog } from './migrate-dialog.js';
import { RecoverDialog } from './recover-dialog.js';

export type RunAct = 'cancel' | 'recover' | 'migrate';

interface RunActionsProps extends RunPartProps {
  /** Action whose dialog is open. */
  readonly act: RunAct | undefined;
  onAct(act: RunAct | undefined): void;
}

/** Offers the actions on the run that the user may take. A recovery is offered next to the failure. */
export function RunActions({ run, workflow, act, onAct }: RunActionsProps) {
  const mayOperate = useMay('operator');
  const queries = useQueryClient();
  const newest = workflow.versions[0]?.version ?? run.workflowVersion;
  const lives = run.outcome === null && !run.cancelling;
  const close = (): void => onAct(undefined);
  const done = (message: string) => (): void => {
    notifications.show({ color: 'green', message });
    void queries.invalidateQueries({ queryKey: ['run', run.runId] });
  };
  return (
    <>
      <EvidenceButton runId={run.runId} />
      {mayOperate && lives && newest > run.workflowVersion && (
        <Button size="xs" variant="default" onClick={() => onAct('migrate')}>
          {texts.run.migrate.open(newest)}
        </Button>
      )}
      {mayOperate && lives && (
        <Button size="xs" variant="default" c="var(--mantine-color-error)" onClick={() => onAct('cancel')}>
          {texts.run.cancel.open}
        </Button>
      )}
      {act === 'cancel' && <CancelDialog run={run} onDone={done(texts.run.cancel.done)} onClose={close} />}
      {act === 'recover' && <RecoverDialog run={run} onDone={done(texts.run.recover.done)} onClose={close} />}
      {act === 'migrate' && (
        <MigrateDialog run={run} version={newest} onDone={done(texts.run.migrate.done(newest))} onClose={close} />
      )}
    </>
  );
}
