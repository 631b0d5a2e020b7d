import type { Approval } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';

/** What one has called one's own signing keys, by their ids; those of others are told by their ids alone. @param may whether the role has keys */
export function useKeyNames({ votes }: Pick<Approval, 'votes'>, may: boolean): ReadonlyMap<string, string> {
  const client = useClient();
  const { data } = useQuery({
    queryKey: keys.signingKeys,
    queryFn: ({ signal }) => client.listMySigningKeys({ limit: 200 }, { signal }),
    enabled: may && votes.some(({ keyId }) => keyId !== null),
  });
  return useMemo(() => new Map((data?.items ?? []).map(({ keyId, name }) => [keyId, name])), [data]);
}
