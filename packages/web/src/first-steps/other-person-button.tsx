import { ContinueAsButton } from '@countersign/inbox-ui/session/continue-as-button';
import { useDevelopmentVoter } from '@countersign/inbox-ui/session/use-development-voter';
import { Button } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { Link, useLocation, useNavigate } from 'react-router';
import { texts } from '../texts/index.js';

/**
 * Continues as somebody who can decide. If the server does not let its users choose who they are, it opens the approval,
 * which says who can decide and has a link to send.
 */
export function OtherPersonButton({ approval }: { readonly approval: Approval }) {
  const voter = useDevelopmentVoter(approval);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const path = `/approvals/${approval.approvalId}`;
  if (voter !== undefined) return <ContinueAsButton user={voter} onSwitched={() => void navigate(path)} />;
  return pathname === path ? null : (
    <Button component={Link} to={path} size="xs">
      {texts.firstSteps.findApprover}
    </Button>
  );
}
