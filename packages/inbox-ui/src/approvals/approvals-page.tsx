import { AbsenceBanner } from '../absence/absence-banner.js';
import { useMay } from '../session/session.js';
import { ApprovalsLayout } from './approvals-layout.js';
import { StatusSelect } from './status-select.js';
import { WebInbox } from './web-inbox.js';
import { useDecidersSections, useReadersSections } from './use-sections.js';
import { useApprovalsAddress } from './use-approvals-address.js';

/**
 * Page of approval requests. Approvers see those that wait for them first; other users see all, without decision
 * buttons.
 */
export function ApprovalsPage() {
  return <WebInbox>{useMay('approver') ? <DecidersApprovals /> : <ReadersApprovals />}</WebInbox>;
}

function DecidersApprovals() {
  const { q } = useApprovalsAddress();
  return <ApprovalsLayout {...useDecidersSections(q)} notice={<AbsenceBanner />} />;
}

function ReadersApprovals() {
  const { q, status, setStatus } = useApprovalsAddress();
  return (
    <ApprovalsLayout
      {...useReadersSections(q, status)}
      filter={<StatusSelect status={status} onChange={setStatus} />}
    />
  );
}
