import { z } from 'zod';
import { defineRoute } from '../define-route.js';
import { authConfigSchema, tokenBodySchema, tokenSchema } from '../schemas/auth.js';
import { meSchema } from '../schemas/me.js';
import { jsonResponse } from './json-response.js';

export const authRoutes = {
  getAuthConfig: defineRoute({
    operationId: 'getAuthConfig',
    method: 'get',
    path: '/api/auth/config',
    tag: 'auth',
    summary: 'Get the sign-in configuration',
    role: 'anonymous',
    responses: { 200: jsonResponse(authConfigSchema, 'Everything that a client needs to get a token.') },
    errors: [],
  }),
  createToken: defineRoute({
    operationId: 'createToken',
    method: 'post',
    path: '/api/auth/token',
    tag: 'auth',
    summary: 'Get a development token',
    description:
      'Issues a token for any subject and role to any caller. For development only, and disabled if an issuer is configured.',
    role: 'anonymous',
    body: tokenBodySchema,
    responses: { 200: jsonResponse(tokenSchema, 'The token.') },
    errors: ['dev_token_disabled', 'foreign_origin'],
  }),
  endSessions: defineRoute({
    operationId: 'endSessions',
    method: 'post',
    path: '/api/auth/backchannel-logout',
    tag: 'auth',
    summary: 'End sessions (back-channel logout)',
    description:
      'For the issuer: register this address as the `backchannel_logout_uri` of the client `Auth:ClientId` (OpenID Connect Back-Channel Logout 1.0). Within seconds after a logout, all servers refuse the tokens of the session. Access tokens should contain `sid`; tokens without it are refused by `sub` if they were issued before the logout.',
    role: 'anonymous',
    body: z.string().max(20_000).meta({ description: 'A form with one field, `logout_token`.' }),
    bodyContentType: 'application/x-www-form-urlencoded',
    responses: { 200: jsonResponse(z.object({}).meta({ id: 'SessionsEnded' }), 'The sessions have ended.') },
    errors: ['route_not_found', 'invalid_logout_token', 'service_unavailable'],
  }),
  getMe: defineRoute({
    operationId: 'getMe',
    method: 'get',
    path: '/api/me',
    tag: 'auth',
    summary: 'Get the current user',
    role: 'viewer',
    responses: { 200: jsonResponse(meSchema, 'The user of the token, with roles and groups.') },
    errors: [],
  }),
};
