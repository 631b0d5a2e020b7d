import type { StartRunBody } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { IdempotencyKeyHolder } from '@countersign/inbox-ui/api/idempotency-key-holder';
import { newIdempotencyKey } from '@countersign/inbox-ui/api/new-idempotency-key';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';

/**
 * Starts a run and opens its page. The same request, sent again after a lost response, starts only one run.
 *
 * @param onStarted called before the page of the run opens
 */
export function useStartRun(onStarted?: (runId: string) => void) {
  const client = useClient();
  const navigate = useNavigate();
  const [requestKey] = useState(() => new IdempotencyKeyHolder(newIdempotencyKey));
  return useMutation({
    mutationFn: (body: StartRunBody) => client.startRun({ body }, { idempotencyKey: requestKey.getKey(body) }),
    onSuccess: ({ runId }) => {
      requestKey.onRequestEnded();
      onStarted?.(runId);
      void navigate(`/runs/${runId}`);
    },
    onError: (error) => requestKey.onRequestEnded(error),
  });
}
