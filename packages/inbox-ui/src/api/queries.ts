import { ProblemError } from '@countersign/contract';
import { QueryClient } from '@tanstack/react-query';

/** What is asked of the server, kept while it is shown. It is kept current by the change feed, not by asking again. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        // The client itself tries again where that helps.
        retry: false,
      },
      mutations: { retry: false },
    },
  });
}

/** Whether an answer says that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404;
}
