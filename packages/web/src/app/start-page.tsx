import { useClient } from '@countersign/inbox-ui/api/client-context';
import { useSession } from '@countersign/inbox-ui/session/session';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';

/**
 * Goes to the page where the user's work waits: the inbox for approvers, and for those who operate runs the ones that
 * need attention, if there are any.
 */
export function StartPage() {
  const { role } = useSession().me;
  if (role === 'approver') return <Navigate to="/approvals" replace />;
  return role === 'operator' || role === 'admin' ? <OperatorStartPage /> : <Navigate to="/runs" replace />;
}

function OperatorStartPage() {
  const client = useClient();
  const { data, isPending } = useQuery({
    queryKey: ['start-page'],
    queryFn: async ({ signal }) =>
      (await client.listRuns({ needsAttention: true, limit: 1 }, { signal })).items.length > 0,
    gcTime: 0,
  });
  if (isPending) return <Loading />;
  return <Navigate to={data === true ? '/runs?needsAttention=true' : '/runs'} replace />;
}
