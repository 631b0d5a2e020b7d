import { hasRole, ROLES } from '@countersign/contract';
import type { Handlers } from '../app/exchange.js';
import { refusal } from '../app/problem.js';
import type { Services } from '../app/services.js';
import { isUsableSubject } from '../auth/claims.js';
import { mayAskForDevToken } from '../auth/dev-token-caller.js';
import { signDevToken } from '../auth/dev-tokens.js';
import type { Discovery } from '../auth/oidc-issuer.js';

export const authHandlers: Pick<Handlers, 'getAuthConfig' | 'createToken' | 'getMe'> = {
  getAuthConfig: async ({ services, basePath }) => {
    const { Auth } = services.configuration;
    const { issuer, devTokensEnabled } = services.authenticator;
    const discovery = await discoveryOf(services);
    const body = {
      mode: issuer === undefined ? 'development' : 'oidc',
      issuer: issuer?.issuer ?? null,
      authorizationEndpoint: discovery?.authorization_endpoint ?? null,
      tokenEndpoint: discovery?.token_endpoint ?? null,
      clientId: Auth.ClientId ?? null,
      scopes: issuer === undefined ? [] : Auth.Scopes,
      roleClaim: issuer === undefined ? 'roles' : Auth.RoleClaim,
      roles: ROLES,
      devToken: { enabled: devTokensEnabled, endpoint: devTokensEnabled ? `${basePath}/api/auth/token` : null },
    };
    return { body };
  },

  createToken: async ({ ctx, services, request }) => {
    const { authenticator, configuration, log } = services;
    if (!authenticator.devTokensEnabled)
      throw refusal('dev_token_disabled', 'This server hands out no development tokens.');
    if (!mayAskForDevToken(ctx.headers, configuration.Server.Host)) {
      throw refusal(
        'foreign_origin',
        'Development tokens are for this machine: ask under its address, and not from a page of another site.',
      );
    }
    const { subject, role, name, groups } = request.body;
    if (!isUsableSubject(subject)) {
      const error = {
        pointer: '/subject',
        code: 'invalid',
        message: 'Must have no invisible characters, and no space around it.',
      };
      throw refusal('validation_failed', 'A token for this subject would not be taken.', { errors: [error] });
    }
    const { token, expiresInSeconds } = await signDevToken(await authenticator.devTokenKey(), {
      subject,
      role,
      ...(name === undefined ? {} : { name }),
      ...(groups === undefined ? {} : { groups }),
    });
    log.info({ subject, role }, 'development token handed out');
    return { body: { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds } };
  },

  getMe: async ({ services, principal }) => {
    const { Auth } = services.configuration;
    const { actor, kind, role, roles, groups, expiresAt } = principal;
    const body = {
      subject: actor.id,
      name: actor.name,
      kind,
      role: role ?? null,
      roles,
      groups,
      may: { startRun: hasRole(role, Auth.StartRunRole), deploy: hasRole(role, Auth.DeployRole) },
      expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    };
    return { body };
  },
};

/** Clients must learn where to sign in also while the issuer is away; then without its addresses. */
async function discoveryOf({ authenticator, log }: Services): Promise<Discovery | undefined> {
  try {
    return await authenticator.issuer?.discovery();
  } catch (error) {
    log.warn({ err: error }, 'the issuer does not answer');
    return undefined;
  }
}
