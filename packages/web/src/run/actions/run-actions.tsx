import { IfSupported } from '@countersign/inbox-ui/session/if-supported';
import { useHasRole } from '@countersign/inbox-ui/session/session';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { texts } from '../../texts/index.js';
import type { RunPartProps } from '../run-part-props.js';
import { CancelDialog } from './cancel-dialog.js';
import { EvidenceButton } from './evidence-button.js';
import { MigrateDialog } from './migrate-dialog.js';
import { RecoverDialog } from './recover-dialog.js';

export type RunAction = 'cancel' | 'recover' | 'migrate';

interface RunActionsProps extends RunPartProps {
  /** Action whose dialog is open. */
  readonly openAction: RunAction | undefined;
  onOpenAction(action: RunAction | undefined): void;
}

/**
 * Buttons and dialogs of the actions that the user may take on the run. The button that opens the recovery dialog is in
 * the `RunExplanationBar`.
 */
export function RunActions({ run, workflow, openAction, onOpenAction }: RunActionsProps) {
  const mayOperate = useHasRole('operator');
  const queryClient = useQueryClient();
  const newestVersion = workflow.versions[0]?.version ?? run.workflowVersion;
  const isLive = run.outcome === null && !run.cancelling;
  const closeDialog = (): void => onOpenAction(undefined);
  const createDoneHandler = (message: string) => (): void => {
    notifications.show({ color: 'green', message });
    void queryClient.invalidateQueries({ queryKey: ['run', run.runId] });
  };
  return (
    <>
      <EvidenceButton runId={run.runId} />
      {mayOperate && isLive && newestVersion > run.workflowVersion && (
        <IfSupported capability="migration">
          <Button size="xs" variant="default" onClick={() => onOpenAction('migrate')}>
            {texts.run.migrate.open(newestVersion)}
          </Button>
        </IfSupported>
      )}
      {mayOperate && isLive && (
        <Button size="xs" variant="default" c="var(--mantine-color-error)" onClick={() => onOpenAction('cancel')}>
          {texts.run.cancel.open}
        </Button>
      )}
      {openAction === 'cancel' && (
        <CancelDialog run={run} onDone={createDoneHandler(texts.run.cancel.done)} onClose={closeDialog} />
      )}
      {openAction === 'recover' && (
        <RecoverDialog run={run} onDone={createDoneHandler(texts.run.recover.done)} onClose={closeDialog} />
      )}
      {openAction === 'migrate' && (
        <MigrateDialog
          run={run}
          version={newestVersion}
          onDone={createDoneHandler(texts.run.migrate.done(newestVersion))}
          onClose={closeDialog}
        />
      )}
    </>
  );
}
