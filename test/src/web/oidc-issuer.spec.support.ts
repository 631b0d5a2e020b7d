import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Provider from 'oidc-provider';
import type { Browser, Page } from 'playwright-core';
import { openWindow, type Window } from './web.spec.support.js';

export const AUDIENCE = 'countersign';
export const CLIENT_ID = 'countersign-web';

export interface TestIssuer {
  readonly url: string;
  /** Lifetime of the access tokens from now on, in seconds. */
  accessTokenSeconds: number;
  /** Whether it refuses to renew, as one that has ended the session. */
  renewsNothing: boolean;
  /** Roles of whoever signs in. */
  roles: readonly string[];
  /** How long ago, in seconds, it says that people signed in, beside what is true. */
  signedInAgo: number;
  /** Tokens given out so far, by grant. */
  readonly grants: string[];
  /** Tokens that were revoked so far, by their hint. */
  readonly revoked: string[];
  /** Tells the issuer where the application is: it sends nobody elsewhere. @param loopback an application of a device too, at any port of the loopback address (RFC 8252, 7.3) */
  register(applicationUrl: string, loopback?: boolean): Promise<void>;
  close(): Promise<void>;
}

/** The `Auth` of a server whose people sign in at this issuer, and in no other way. */
export function authBy({ url }: TestIssuer) {
  return {
    DevToken: { Enabled: false },
    Issuer: url,
    Audience: AUDIENCE,
    ClientId: CLIENT_ID,
    Scopes: ['openid', 'profile', 'offline_access'],
  };
}

/** What the library tells of a token that is made. */
interface TokenContext {
  readonly oidc: {
    readonly entities: Partial<Record<'AuthorizationCode' | 'RefreshToken', { readonly authTime?: number }>>;
  };
}

/** A real OpenID Connect issuer, whose people are whoever they say they are. */
export async function startIssuer(): Promise<TestIssuer> {
  let provider: Provider | undefined;
  const server: Server = createServer((request, response) => {
    if (!issuer.renewsNothing || request.url !== '/token') return void provider?.callback()(request, response);
    return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TestIssuer = {
    url,
    accessTokenSeconds: 3_600,
    renewsNothing: false,
    roles: ['operator'],
    signedInAgo: 0,
    grants: [],
    revoked: [],
    async register(applicationUrl, loopback = false) {
      provider = new Provider(url, {
        clients: [
          {
            client_id: CLIENT_ID,
            token_endpoint_auth_method: 'none',
            application_type: loopback ? 'native' : 'web',
            redirect_uris: loopback ? ['http://127.0.0.1/callback'] : [`${applicationUrl}/sign-in/callback`],
            post_logout_redirect_uris: [`${applicationUrl}/`],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
          },
        ],
        clientBasedCORS: () => true,
        pkce: { required: () => true },
        scopes: ['openid', 'offline_access', 'profile'],
        claims: { openid: ['sub'], profile: ['name'] },
        findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, name: sub }) }),
        extraTokenClaims: (context: TokenContext) => {
          const { AuthorizationCode: code, RefreshToken: refresh } = context.oidc.entities;
          const authTime = code?.authTime ?? refresh?.authTime;
          return {
            roles: [...issuer.roles],
            ...(authTime === undefined ? {} : { auth_time: authTime - issuer.signedInAgo }),
          };
        },
        issueRefreshToken: () => true,
        ttl: {
          AccessToken: () => issuer.accessTokenSeconds,
          Grant: 86_400,
          IdToken: 3_600,
          Interaction: 3_600,
          Session: 86_400,
          RefreshToken: 86_400,
          AuthorizationCode: 60,
        },
        features: {
          devInteractions: { enabled: true },
          rpInitiatedLogout: { enabled: true },
          revocation: { enabled: true },
          resourceIndicators: {
            enabled: true,
            defaultResource: () => 'urn:countersign',
            useGrantedResource: () => true,
            getResourceServerInfo: () => ({
              scope: 'openid profile offline_access',
              audience: AUDIENCE,
              accessTokenFormat: 'jwt',
              accessTokenTTL: issuer.accessTokenSeconds,
            }),
          },
        },
      });
      for (const kind of ['refresh_token', 'access_token'] as const)
        provider.on(`${kind}.destroyed`, () => void issuer.revoked.push(kind));
      provider.on(
        'grant.success',
        (context: { readonly oidc: { readonly params?: { readonly grant_type?: unknown } } }) =>
          void issuer.grants.push(String(context.oidc.params?.grant_type)),
      );
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
}

/** Opens a window of somebody who is not signed in; it may go to the issuer, and nowhere else. */
export async function openIssuerWindow(browser: Browser, url: string, issuer: TestIssuer): Promise<Window> {
  const window = await openWindow(browser, { url });
  // The issuer's pages want a font from elsewhere; they are not ours.
  await window.context.route('https://fonts.googleapis.com/**', (route) => route.abort());
  return {
    ...window,
    close: async () => {
      await window.context.close();
      expect(
        window.faults.filter(
          (fault) =>
            !fault.startsWith(`request elsewhere: ${issuer.url}/`) &&
            !fault.startsWith('request elsewhere: https://fonts.googleapis.com/'),
        ),
      ).to.deep.equal([]);
    },
  };
}

/** Says at the issuer who one is, and agrees. */
export async function signInAtIssuer(page: Page, login: string): Promise<void> {
  await page.locator('input[name="login"]').fill(login);
  await page.locator('input[name="password"]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
