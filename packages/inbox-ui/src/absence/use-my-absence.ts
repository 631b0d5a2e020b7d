import type { Absence, SetAbsenceBody } from '@countersign/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { useMay, useSession } from '../session/session.js';

interface MyAbsence {
  /** `undefined` as long as it is not known. */
  readonly absence: Absence | null | undefined;
  /** That it could not be asked for. */
  readonly error: unknown;
  set(body: SetAbsenceBody): Promise<void>;
  end(): Promise<void>;
}

/** Whether the one who is signed in decides approvals, so that it matters whether they are away. */
export function useMayBeAway(): boolean {
  const { kind } = useSession().me;
  return useMay('approver') && kind === 'user';
}

/** One's own absence, the one that lasts or the one to come. */
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
