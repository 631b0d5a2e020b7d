import { Badge, VisuallyHidden } from '@mantine/core';
import { useShortcuts, useWaitingCounts, type WaitingCount } from '@countersign/inbox-ui';
import { NavLink, useNavigate } from 'react-router';
import { texts } from '../app/texts.js';

/**
 * Tabs for the inbox and for the questions of all statuses, with the number of waiting items in each. The inbox of an
 * approver also lists the pending questions.
 */
export function InboxTabs() {
  const { inbox, questions } = useWaitingCounts();
  const navigate = useNavigate();
  useShortcuts([
    { action: 'go.approvals', run: () => void navigate('/approvals') },
    { action: 'go.questions', run: () => void navigate('/questions') },
  ]);
  return (
    <nav aria-label={texts.inboxNavigation} className="cd-rooms">
      <InboxTab to="/approvals" label={texts.inbox} waiting={inbox} />
      <InboxTab to="/questions" label={texts.questions} waiting={questions} />
    </nav>
  );
}

function InboxTab({
  to,
  label,
  waiting: { count, hasMore: more },
}: {
  readonly to: string;
  readonly label: string;
  readonly waiting: WaitingCount;
}) {
  return (
    <NavLink to={to} className="cd-room">
      {label}
      {count > 0 && (
        <>
          {' '}
          <Badge size="sm" variant="light" className="cs-badge">
            {`${count}${more ? '+' : ''}`}
          </Badge>{' '}
          <VisuallyHidden>{texts.waiting}</VisuallyHidden>
        </>
      )}
    </NavLink>
  );
}
