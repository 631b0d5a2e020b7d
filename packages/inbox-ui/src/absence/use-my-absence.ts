import type { Absence, SetAbsenceBody } from '@countersign/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { useMay, useSession } from '../session/session.js';

interface MyAbsence {
  /** `undefined` until it is known. */
  readonly absence: Absence | null | undefined;
  /** Error of the failed request. */
  readonly error: unknown;
  set(body: SetAbsenceBody): Promise<void>;
  end(): Promise<void>;
}

/** Returns whether the signed-in user decides approvals, so that an absence matters. */
export function useMayBeAway(): boolean {
  const { kind } = useSession().me;
  return useMay('approver') && kind === 'user';
}

/** Returns the user's own absence, current or upcoming. */
export function useMyAbsence(): MyAbsence {
  const client = useClient();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: keys.absence,
    queryFn: ({ signal }) => client.getMyAbsence({}, { signal }),
    enabled: useMayBeAway(),
  });
  const show = (absence: Absence | null): void => void queries.setQueryData(keys.absence, { absence });
  return {
    absence: data?.absence,
    error,
    set: async (body) => show(await client.setMyAbsence({ body })),
    end: async () => show((await client.endMyAbsence({})).absence),
  };
}
