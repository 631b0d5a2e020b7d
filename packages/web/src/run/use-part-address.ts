import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** What a part of the page keeps in the address beside what all of it does (`use-run-address.ts`). */
export interface PartAddress {
  get(name: string): string | undefined;
  /** A glance at this and that is no place to come back to: the entry of the history is replaced. */
  set(change: Readonly<Record<string, string | undefined>>): void;
}

export function usePartAddress(): PartAddress {
  const [query, setQuery] = useSearchParams();
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>) =>
      setQuery(
        (now) => {
          const next = new URLSearchParams(now);
          for (const [name, value] of Object.entries(change)) {
            if (value === undefined) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setQuery],
  );
  return { get: (name) => query.get(name) ?? undefined, set };
}
