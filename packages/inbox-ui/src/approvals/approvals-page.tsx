import { AbsenceBanner } from '../absence/absence-banner.js';
import { useHasRole } from '../session/session.js';
import { ApprovalsLayout } from './approvals-layout.js';
import { StatusSelect } from './status-select.js';
import { WebInboxHostProvider } from './web-inbox-host-provider.js';
import { useApproverSections, useReaderSections } from './use-sections.js';
import { useApprovalsAddress } from './use-approvals-address.js';

/**
 * Page of approval requests. Approvers see the approvals that wait for them first; other users see all approvals,
 * without decision buttons.
 */
export function ApprovalsPage() {
  return (
    <WebInboxHostProvider>{useHasRole('approver') ? <ApproverApprovals /> : <ReaderApprovals />}</WebInboxHostProvider>
  );
}

function ApproverApprovals() {
  const { filter } = useApprovalsAddress();
  return <ApprovalsLayout {...useApproverSections(filter)} inbox="mine" notice={<AbsenceBanner />} />;
}

function ReaderApprovals() {
  const { filter, status, setStatus } = useApprovalsAddress();
  return (
    <ApprovalsLayout
      {...useReaderSections(filter, status)}
      statusSelect={<StatusSelect status={status} onChange={setStatus} />}
    />
  );
}
