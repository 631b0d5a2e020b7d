import type { Approval } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';

/**
 * Returns the user's names for their own signing keys, by id; keys of others are shown by id only.
 *
 * @param enabled whether the role of the user may have signing keys
 */
export function useKeyNames({ votes }: Pick<Approval, 'votes'>, enabled: boolean): ReadonlyMap<string, string> {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.signingKeys,
    queryFn: ({ signal }) => client.listMySigningKeys({ limit: 200 }, { signal }),
    enabled: enabled && votes.some(({ keyId }) => keyId !== null),
  });
  return useMemo(() => new Map((data?.items ?? []).map(({ keyId, name }) => [keyId, name])), [data]);
}
