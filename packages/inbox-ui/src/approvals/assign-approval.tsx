import { useQueryClient } from '@tanstack/react-query';
import type { Approval } from '@countersign/contract';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { DelegateDialog, ReassignDialog } from '../inbox/index.js';

export type Assigning = 'delegate' | 'reassign';

interface AssignDialogsProps {
  readonly approvalId: string;
  /** The dialog that is open. */
  readonly assigning: Assigning | undefined;
  onClose(): void;
}

/** Dialogs to delegate or reassign an approval. */
export function AssignDialogs({ approvalId, assigning, onClose }: AssignDialogsProps) {
  const client = useClient();
  const queries = useQueryClient();
  const done = (approval: Approval): void => {
    queries.setQueryData(keys.approval(approvalId), approval);
    void queries.invalidateQueries({ queryKey: ['approvals'] });
  };
  return (
    <>
      {assigning === 'delegate' && (
        <DelegateDialog
          opened
          onClose={onClose}
          onDelegate={async (to, until) =>
            done(await client.delegateApproval({ approvalId, body: { to, ...(until === undefined ? {} : { until }) } }))
          }
        />
      )}
      {assigning === 'reassign' && (
        <ReassignDialog
          opened
          onClose={onClose}
          onReassign={async (body) => done(await client.reassignApproval({ approvalId, body }))}
        />
      )}
    </>
  );
}
