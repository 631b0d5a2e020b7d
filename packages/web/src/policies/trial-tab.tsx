import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { texts } from '../texts/index.js';
import { isNotFound } from '../api/queries.js';
import { EmptyState } from '../ui/empty-state.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { TrialDraft } from './trial-draft.js';

/** Tries a draft of the policy on past runs; it begins with the one in force. */
export function TrialTab() {
  const client = useClient();
  const policy = useQuery({
    queryKey: [...keys.policy, 'in-force'],
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
