import { useQueryClient } from '@tanstack/react-query';
import type { Approval } from '@countersign/contract';
import { useClient } from '../api/client-context.js';
import { getInboxUpdater } from '../api/inbox-updater.js';
import { queryKeys } from '../api/query-keys.js';
import { DelegateDialog, ReassignDialog } from '../inbox/index.js';

export type AssignmentMode = 'delegate' | 'reassign';

interface ApprovalAssignDialogsProps {
  readonly approvalId: string;
  /** The dialog that is open. */
  readonly mode: AssignmentMode | undefined;
  onClose(): void;
}

/** Dialogs to delegate or reassign an approval. */
export function ApprovalAssignmentDialogs({ approvalId, mode, onClose }: ApprovalAssignDialogsProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const onAssigned = (approval: Approval): void => {
    queryClient.setQueryData(queryKeys.approval(approvalId), approval);
    const inbox = getInboxUpdater(queryClient, client);
    inbox.add(approvalId);
    void inbox.update();
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
