import { defineRoute } from '../define-route.js';
import { groupListSchema, listGroupsQuerySchema, listUsersQuerySchema, userListSchema } from '../schemas/people.js';
import { jsonResponse } from './json-response.js';

export const peopleRoutes = {
  listUsers: defineRoute({
    operationId: 'listUsers',
    method: 'get',
    path: '/api/users',
    tag: 'people',
    summary: 'List users',
    description:
      'Lists the people who have signed in, for the choice of a delegate, a substitute or a candidate. People whose data is erased are not listed until one of their tokens is used again.',
    role: 'approver',
    query: listUsersQuerySchema,
    responses: { 200: jsonResponse(userListSchema, 'A page of users, sorted by name.') },
    errors: [],
  }),
  listGroups: defineRoute({
    operationId: 'listGroups',
    method: 'get',
    path: '/api/groups',
    tag: 'people',
    summary: 'List groups',
    description: 'Lists the groups of the people who have signed in, for the choice of candidate groups.',
    role: 'admin',
    query: listGroupsQuerySchema,
    responses: { 200: jsonResponse(groupListSchema, 'A page of groups, sorted by name.') },
    errors: [],
  }),
};
