import type { Absence, SetAbsenceBody } from '@countersign/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { useHasRole, useSession } from '../session/session.js';

interface MyAbsence {
  /** The absence: `null` if there is none, `undefined` until it is loaded. */
  readonly absence: Absence | null | undefined;
  /** Error of the request, if it failed; otherwise `null`. */
  readonly error: unknown;
  set(body: SetAbsenceBody): Promise<void>;
  end(): Promise<void>;
}

/** Returns whether the signed-in user can set an absence, which only matters for people who decide approvals. */
export function useCanSetAbsence(): boolean {
  const { kind } = useSession().me;
  return useHasRole('approver') && kind === 'user';
}

/** Returns the user's own absence, current or upcoming. */
export function useMyAbsence(): MyAbsence {
  const client = useClient();
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    queryKey: queryKeys.absence,
    queryFn: ({ signal }) => client.getMyAbsence({}, { signal }),
    enabled: useCanSetAbsence(),
  });
  const updateCache = (absence: Absence | null): void => void queryClient.setQueryData(queryKeys.absence, { absence });
  return {
    absence: data?.absence,
    error,
    set: async (body) => updateCache(await client.setMyAbsence({ body })),
    end: async () => updateCache((await client.endMyAbsence({})).absence),
  };
}
