import type { Handlers } from '../app/route-context.js';
import { omitUndefined } from './runs.js';

export const peopleHandlers: Pick<Handlers, 'listUsers' | 'listGroups'> = {
  listUsers: async ({ services, request: { query } }) => ({
    body: await services.app.people.listUsers(toListRequest(query)),
  }),

  listGroups: async ({ services, request: { query } }) => ({
    body: await services.app.people.listGroups(toListRequest(query)),
  }),
};

function toListRequest({ limit, cursor, q }: { limit: number; cursor?: string | undefined; q?: string | undefined }) {
  return { limit, ...omitUndefined({ cursor, search: q }) };
}
