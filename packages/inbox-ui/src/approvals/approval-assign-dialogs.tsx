import { useQueryClient } from '@tanstack/react-query';
import type { Approval } from '@countersign/contract';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { DelegateDialog, ReassignDialog } from '../inbox/index.js';

export type AssignMode = 'delegate' | 'reassign';

interface ApprovalAssignDialogsProps {
  readonly approvalId: string;
  /** The dialog that is open. */
  readonly mode: AssignMode | undefined;
  onClose(): void;
}

/** Dialogs to delegate or reassign an approval. */
export function ApprovalAssignDialogs({ approvalId, mode, onClose }: ApprovalAssignDialogsProps) {
  const client = useClient();
  const queries = useQueryClient();
  const onAssigned = (approval: Approval): void => {
    queries.setQueryData(queryKeys.approval(approvalId), approval);
    void queries.invalidateQueries({ queryKey: ['approvals'] });
  };
  return (
    <>
      {mode === 'delegate' && (
        <DelegateDialog
          opened
          onClose={onClose}
          onDelegate={async (to, until) =>
            onAssigned(
              await client.delegateApproval({ approvalId, body: { to, ...(until === undefined ? {} : { until }) } }),
            )
          }
        />
      )}
      {mode === 'reassign' && (
        <ReassignDialog
          opened
          onClose={onClose}
          onReassign={async (body) => onAssigned(await client.reassignApproval({ approvalId, body }))}
        />
      )}
    </>
  );
}
