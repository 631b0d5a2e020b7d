import { z } from 'zod';
import { principalSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape } from './query.js';

export const userSchema = z
  .object({
    id: principalSchema.meta({ description: 'Subject of the user.' }),
    name: z.string().nullable().meta({ description: 'Display name.' }),
    userName: z.string().nullable().meta({
      description:
        'The usual user name; `null` if the user has none, or if it may also refer to another user. It identifies the user as well as `id` does.',
    }),
    mayDecide: z.boolean().meta({ description: 'Whether the role of the user permits votes on approvals.' }),
  })
  .meta({ id: 'User', description: 'A user as their last token describes them.' });

export const groupSchema = z
  .object({
    name: z.string(),
    deciders: z
      .int()
      .min(0)
      .meta({ description: 'Number of the users in the group whose role permits votes on approvals.' }),
  })
  .meta({ id: 'Group', description: 'A group that the last token of at least one user contains.' });

export const userListSchema = buildListSchema(userSchema, 'UserList');
export const groupListSchema = buildListSchema(groupSchema, 'GroupList');

export const listUsersQuerySchema = z.strictObject({
  ...pageQueryShape,
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Words that must all occur in the name, a user name or the id; case-insensitive.' }),
});

export const listGroupsQuerySchema = z.strictObject({
  ...pageQueryShape,
  q: listUsersQuerySchema.shape.q.meta({ description: 'Words that must all occur in the name; case-insensitive.' }),
});

export const allowUnknownSchema = z.boolean().optional().meta({
  description:
    'Whether to accept users who have never signed in, and groups that no such user has. By default, they are refused with the field errors `unknown_user` and `unknown_group`, because they are usually misspelt.',
});

export type User = z.infer<typeof userSchema>;
export type UserGroup = z.infer<typeof groupSchema>;
