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
  const { q } = useApprovalsAddress();
  return <ApprovalsLayout {...useApproverSections(q)} notice={<AbsenceBanner />} />;
}

function ReaderApprovals() {
  const { q, status, setStatus } = useApprovalsAddress();
  return (
    <ApprovalsLayout {...useReaderSections(q, status)} filter={<StatusSelect status={status} onChange={setStatus} />} />
  );
}
