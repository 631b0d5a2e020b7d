import { ProblemError } from '@countersign/contract';
import { QueryClient } from '@tanstack/react-query';

/**
 * Creates the client that caches server data. The change feed keeps displayed data current, so focus does not trigger a
 * refetch.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        // The API client already retries when a retry can help.
        retry: false,
      },
      mutations: { retry: false },
    },
  });
}

/** Returns whether an error means that the resource does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404;
}
