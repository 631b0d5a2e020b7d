import { useQueryClient } from '@tanstack/react-query';
import type { Approval } from '@countersign/contract';
import { useClient } from '../api/client-context.js';
import { getInboxUpdater } from '../api/inbox-updater.js';
import { queryKeys } from '../api/query-keys.js';
import { DelegateDialog, findUnavailableUsers, ReassignDialog } from '../inbox/index.js';
import { useSession } from '../session/session.js';

export type AssignmentMode = 'delegate' | 'reassign';

interface ApprovalAssignDialogsProps {
  readonly approval: Approval;
  /** The dialog that is open. */
  readonly mode: AssignmentMode | undefined;
  onClose(): void;
}

/** Dialogs to delegate or reassign an approval. */
export function ApprovalAssignmentDialogs({
  approval: { approvalId, ...approval },
  mode,
  onClose,
}: ApprovalAssignDialogsProps) {
  const { me } = useSession();
  const client = useClient();
  const queryClient = useQueryClient();
  const onAssigned = (assigned: Approval): void => {
    queryClient.setQueryData(queryKeys.approval(approvalId), assigned);
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
          ownNames={[me.subject, ...me.userNames]}
          unavailableUsers={findUnavailableUsers(approval)}
          onDelegate={async (body) => onAssigned(await client.delegateApproval({ approvalId, body }))}
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
