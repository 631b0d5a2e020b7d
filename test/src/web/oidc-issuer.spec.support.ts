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
  /** Lifetime of new access tokens, in seconds. */
  accessTokenSeconds: number;
  /** Whether the token endpoint refuses every request, as if the issuer had ended the session. */
  refusesRenewals: boolean;
  /** Roles of users who sign in. */
  roles: readonly string[];
  /** Offset in seconds that the issuer adds to the age of a sign-in. */
  extraSignInAgeSeconds: number;
  /** Grant types of the issued tokens. */
  readonly grantTypes: string[];
  /** Types of the revoked tokens. */
  readonly revokedTypes: string[];
  /**
   * Registers the application as the only client, with its redirect URI.
   *
   * @param loopback whether any loopback port is allowed instead (RFC 8252, 7.3), for native applications
   */
  register(applicationUrl: string, loopback?: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Returns the `Auth` section of a server whose users can sign in only at this issuer. */
export function buildAuthConfiguration({ url }: TestIssuer) {
  return {
    DevToken: { Enabled: false },
    Issuer: url,
    Audience: AUDIENCE,
    ClientId: CLIENT_ID,
    Scopes: ['openid', 'profile', 'offline_access'],
  };
}

/** Context that the library passes for a new token. */
interface TokenContext {
  readonly oidc: {
    readonly entities: Partial<Record<'AuthorizationCode' | 'RefreshToken', { readonly authTime?: number }>>;
  };
}

/** Starts a real OpenID Connect issuer, where users can sign in under any name. */
export async function startIssuer(): Promise<TestIssuer> {
  let provider: Provider | undefined;
  const server: Server = createServer((request, response) => {
    if (!issuer.refusesRenewals || request.url !== '/token') return void provider?.callback()(request, response);
    return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TestIssuer = {
    url,
    accessTokenSeconds: 3_600,
    refusesRenewals: false,
    roles: ['operator'],
    extraSignInAgeSeconds: 0,
    grantTypes: [],
    revokedTypes: [],
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
            ...(authTime === undefined ? {} : { auth_time: authTime - issuer.extraSignInAgeSeconds }),
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
        provider.on(`${kind}.destroyed`, () => void issuer.revokedTypes.push(kind));
      provider.on(
        'grant.success',
        (context: { readonly oidc: { readonly params?: { readonly grant_type?: unknown } } }) =>
          void issuer.grantTypes.push(String(context.oidc.params?.grant_type)),
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

/** Opens a signed-out window, which may send requests only to the application and the issuer. */
export async function openIssuerWindow(browser: Browser, url: string, issuer: TestIssuer): Promise<Window> {
  const window = await openWindow(browser, { url });
  // The pages of the issuer load an external font; these pages are not part of Countersign.
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

/**
 * Installs a clock that the test controls, and loads the page again. No page of Countersign may be open meanwhile:
 * until the clock is set, it shows 1970, and a page that reads it then renews its tokens, because the clock was set
 * back.
 */
export async function installClock(page: Page): Promise<void> {
  const url = page.url();
  await page.goto('about:blank');
  await page.context().clock.install();
  await page.goto(url);
}

/** Signs in at the issuer and consents. */
export async function signInAtIssuer(page: Page, login: string): Promise<void> {
  await page.locator('input[name="login"]').fill(login);
  await page.locator('input[name="password"]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
