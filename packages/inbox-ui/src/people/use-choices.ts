import type { Page, User, UserGroup } from '@countersign/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, type QueryKey } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { matchesSearch, toGroupChoice, toUserChoice, type Choice } from './describe-choice.js';

/** Number of choices that are offered at once. */
const LIMIT = 20;
const DEBOUNCE_MS = 150;
const STALE_AFTER_MS = 30_000;
const MAX_SEARCH_LENGTH = 200;

export interface Choices {
  /** The choices that match the search. */
  readonly choices: readonly Choice[];
  /** Whether more match than are offered. */
  readonly hasMore: boolean;
}

/** Returns the users that match a search, except those whom `isHidden` hides. */
export function useUserChoices(
  search: string,
  findObstacle: (user: User) => string | undefined,
  isHidden: (user: User) => boolean,
): Choices {
  const client = useClient();
  return useChoices(
    search,
    queryKeys.users,
    (q, signal) => client.listUsers({ limit: LIMIT, ...q }, { signal }),
    (users) => {
      const choices = users.filter((user) => !isHidden(user)).map((user) => toUserChoice(user, findObstacle));
      const canBeChosen = ({ obstacle }: Choice): boolean => obstacle === undefined;
      return [...choices.filter(canBeChosen), ...choices.filter((choice) => !canBeChosen(choice))];
    },
  );
}

/** Returns the groups that match a search. */
export function useGroupChoices(search: string): Choices {
  const client = useClient();
  return useChoices(
    search,
    queryKeys.groups,
    (q, signal) => client.listGroups({ limit: LIMIT, ...q }, { signal }),
    (groups: readonly UserGroup[]) => groups.map(toGroupChoice),
  );
}

/**
 * Loads the choices while the user types. If they cannot be loaded, there are none, and names can still be typed.
 */
function useChoices<T>(
  search: string,
  toKey: (q: string) => QueryKey,
  load: (query: { readonly q?: string }, signal: AbortSignal) => Promise<Page<T>>,
  toChoices: (items: readonly T[]) => readonly Choice[],
): Choices {
  const typed = search.trim().slice(0, MAX_SEARCH_LENGTH);
  const [q] = useDebouncedValue(typed, DEBOUNCE_MS);
  const { data, isPlaceholderData } = useQuery({
    queryKey: toKey(q),
    queryFn: ({ signal }) => load(q === '' ? {} : { q }, signal),
    placeholderData: keepPreviousData,
    staleTime: STALE_AFTER_MS,
  });
  const choices = toChoices(data?.items ?? []);
  // Until the server has answered, only what matches is offered: Enter chooses the first one.
  const isCurrent = q === typed && !isPlaceholderData;
  return {
    choices: isCurrent ? choices : choices.filter((choice) => matchesSearch(choice, typed)),
    hasMore: data !== undefined && data.nextCursor !== null,
  };
}
