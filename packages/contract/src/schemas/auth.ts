import { z } from 'zod';
import { roleSchema } from './common.js';
import { identitySchema } from './identity.js';

export const developmentUserSchema = z
  .object({
    subject: identitySchema,
    name: z.string().nullable(),
    role: roleSchema,
    groups: z.array(identitySchema),
  })
  .meta({ id: 'DevelopmentUser', description: 'A user that a development server offers for signing in.' });

export const authConfigSchema = z
  .object({
    mode: z
      .enum(['development', 'oidc'])
      .meta({ description: '`oidc`: tokens of the issuer. `development`: only tokens that this server signed.' }),
    issuer: z.string().nullable(),
    authorizationEndpoint: z.string().nullable(),
    tokenEndpoint: z.string().nullable(),
    clientId: z.string().nullable(),
    scopes: z.array(z.string()),
    roleClaim: z.string().meta({ description: 'Dotted path of the roles in a token.', example: 'roles' }),
    roles: z.array(roleSchema).meta({ description: 'From the lowest to the highest.' }),
    devToken: z.object({
      enabled: z.boolean(),
      endpoint: z.string().nullable(),
      users: z.array(developmentUserSchema).meta({
        description: 'Users to choose from (`Auth:DevToken:Users`); empty while development tokens are off.',
      }),
    }),
  })
  .meta({ id: 'AuthConfig' });

export const tokenBodySchema = z
  .strictObject({
    subject: identitySchema,
    role: roleSchema,
    name: z.string().min(1).max(255).optional(),
    userName: identitySchema
      .optional()
      .meta({ description: 'A further name by which workflows may name the user, such as an e-mail address.' }),
    groups: z.array(identitySchema).max(100).optional(),
  })
  .meta({ id: 'TokenRequest', example: { subject: 'ada', role: 'approver', name: 'Ada Lovelace' } });

/** Spelled as in RFC 6749 §5.1, so that OAuth libraries can read it. */
export const tokenSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().min(1).meta({ description: 'In seconds.' }),
  })
  .meta({ id: 'Token' });

export type DevelopmentUser = z.infer<typeof developmentUserSchema>;
export type AuthConfig = z.infer<typeof authConfigSchema>;
export type TokenBody = z.infer<typeof tokenBodySchema>;
export type Token = z.infer<typeof tokenSchema>;
