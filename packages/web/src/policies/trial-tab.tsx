import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { isNotFound } from '@countersign/inbox-ui/api/query-client';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { useQuery } from '@tanstack/react-query';
import { texts } from '../texts/index.js';
import { TrialDraft } from './trial-draft.js';

/** Shows the trial of a draft policy with past runs; the draft starts as a copy of the current policy. */
export function TrialTab() {
  const client = useClient();
  const policy = useQuery({
    queryKey: [...queryKeys.policy, 'in-force'],
    queryFn: ({ signal }) => client.getPolicy({}, { signal }),
  });
  if (policy.isPending) return <Loading />;
  if (policy.isError)
    return isNotFound(policy.error) ? (
      <EmptyState title={texts.policies.files.none} />
    ) : (
      <ProblemNotice error={policy.error} onRetry={() => void policy.refetch()} />
    );
  return <TrialDraft files={policy.data.files} />;
}
