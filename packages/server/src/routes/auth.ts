import { hasRole, ROLES, type AuthConfig, type Me } from '@countersign/contract';
import { EnginePort } from '@countersign/core';
import { ENGINE_CAPABILITY_NAMES } from '@countersign/model';
import type { Handlers } from '../app/route-context.js';
import { createRefusal } from '../app/problem.js';
import type { Services } from '../app/services.js';
import { isLocalRequest } from '../auth/is-local-request.js';
import { signDevToken } from '../auth/dev-tokens.js';
import type { Discovery } from '../auth/oidc-issuer.js';

export const authHandlers: Pick<Handlers, 'getAuthConfig' | 'createToken' | 'endSessions' | 'getMe'> = {
  getAuthConfig: async ({ services, basePath }) => {
    const { Auth } = services.configuration;
    const { issuer, devTokensEnabled } = services.authenticator;
    const discovery = await tryDiscover(services);
    const mode: AuthConfig['mode'] = issuer === undefined ? 'development' : 'oidc';
    const body = {
      mode,
      issuer: issuer?.issuer ?? null,
      authorizationEndpoint: discovery?.authorization_endpoint ?? null,
      tokenEndpoint: discovery?.token_endpoint ?? null,
      clientId: Auth.ClientId ?? null,
      scopes: issuer === undefined ? [] : Auth.Scopes,
      roleClaim: issuer === undefined ? 'roles' : Auth.RoleClaim,
      roles: ROLES,
      devToken: devTokensEnabled
        ? {
            enabled: true,
            endpoint: `${basePath}/api/auth/token`,
            users: Auth.DevToken.Users.map(({ Subject, Name, Role, Groups }) => ({
              subject: Subject,
              name: Name ?? null,
              role: Role,
              groups: Groups,
            })),
          }
        : { enabled: false, endpoint: null, users: [] },
    };
    return { body };
  },

  createToken: async ({ ctx, services, request }) => {
    const { authenticator, clock, configuration, log } = services;
    if (!authenticator.devTokensEnabled)
      throw createRefusal('dev_token_disabled', 'This server does not issue development tokens.');
    if (!isLocalRequest(ctx.headers, configuration.Server.Host)) {
      throw createRefusal(
        'foreign_origin',
        'Development tokens are issued only on the machine of the server. Request them at its local address, not from a page of another site.',
      );
    }
    const { subject, role, name, userName, groups } = request.body;
    const { token, expiresInSeconds } = await signDevToken(
      await authenticator.getDevTokenKey(),
      {
        subject,
        role,
        ...(name === undefined ? {} : { name }),
        ...(userName === undefined ? {} : { userName }),
        ...(groups === undefined ? {} : { groups }),
      },
      clock.now(),
    );
    // Sign-in does not depend on the database.
    await authenticator.recordDevelopmentUsers().catch((error: unknown) => {
      log.warn({ err: error }, 'could not store the development users');
    });
    log.info({ subject, role }, 'issued a development token');
    return { body: { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds } };
  },

  endSessions: async ({ ctx, services, request, caller }) => {
    const tokens = new URLSearchParams(request.body).getAll('logout_token');
    if (tokens.length !== 1 || tokens[0] === undefined)
      throw createRefusal('invalid_logout_token', 'Send exactly one logout_token, as a form field.');
    const { sid, subject } = await services.authenticator.logout(tokens[0]);
    await services.audit.record({
      at: services.clock.now(),
      actor: null,
      action: 'session.end',
      target: subject === null ? { type: 'session', id: sid ?? '' } : { type: 'principal', id: subject },
      result: 'ok',
      from: ctx.ip,
      data: { traceId: caller.traceId, by: 'back-channel logout', session: sid !== null },
    });
    return { body: {}, headers: { 'Cache-Control': 'no-store' } };
  },

  getMe: async ({ services, principal }) => {
    const { Auth } = services.configuration;
    const { actor, kind, role, roles, groups, expiresAt } = principal;
    const body = {
      subject: actor.id,
      name: actor.name,
      userNames: [...(actor.userNames ?? [])],
      kind,
      role: role ?? null,
      roles,
      groups,
      may: { startRun: hasRole(role, Auth.StartRunRole), deploy: hasRole(role, Auth.DeployRole) },
      expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      engine: describeEngine(services.host.get(EnginePort)),
    };
    return { body };
  },
};

function describeEngine({ name, capabilities }: EnginePort): Me['engine'] {
  return { name, unsupported: ENGINE_CAPABILITY_NAMES.filter((capability) => !capabilities.has(capability)) };
}

/**
 * Returns the issuer's metadata; `undefined` while the issuer is unavailable, so that clients still receive the rest of
 * the configuration.
 */
async function tryDiscover({ authenticator, log }: Services): Promise<Discovery | undefined> {
  try {
    return await authenticator.issuer?.getDiscovery();
  } catch (error) {
    log.warn({ err: error }, 'the issuer is not responding');
    return undefined;
  }
}
